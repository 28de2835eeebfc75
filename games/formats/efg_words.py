"""The words of Gambit's extensive-form files (``.efg``): strings, numbers, braces, and where they stand."""

import re
from fractions import Fraction

MAX_DIGITS = 4_000
"""Numbers with more digits, before an exponent, are refused."""
MAX_EXPONENT = 400
"""Exponents beyond this are refused, either way."""
SHOWN = 30
"""Most characters of the text that an error quotes."""


def _token(body: str) -> re.Pattern[str]:
    return re.compile(rf"({body})\s*+", re.ASCII | re.DOTALL)


# Possessive throughout: no text takes more than one look at each of its characters.
QUOTED = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
SPACE = re.compile(r"\s*+", re.ASCII)
FIXED = {word: _token(re.escape(word)) for word in ("EFG", "2", "{", "}", ",")}
TYPE = _token(r"[RD]\b")
NODE = _token(r'[cpt](?=[\s"])')
STRING = _token(QUOTED)
INTEGER = _token(r"\d{1,18}+(?![\w./])")
NUMBER = _token(r"[+-]?+(?:\d++/\d++|(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][+-]?+\d++)?+)(?![\w./])")
BRACES = _token(rf'\{{[^"{{}}]*+(?:{QUOTED}[^"{{}}]*+)*+\}}')
WORD = re.compile(r"[{}]|[^\s{}]++", re.ASCII)
ESCAPE = re.compile(r'\\(["\\])')


class EfgCursor:
    """A place in a text, which moves on word by word, over all white space.

    Attributes
    ----------
    text : str
    at : int
        How many characters have been read; the next one begins a word.
    """

    def __init__(self, text: str) -> None:
        self.text = text.removeprefix("\ufeff")
        self.at = 0
        self._line = 1
        self._counted = 0
        self.take(SPACE, "text")

    def number(self, expected: str) -> Fraction:
        """Return the number that comes next, exactly."""
        begin = self.at
        text = self.take(NUMBER, expected)
        mantissa, _, exponent = text.lower().partition("e")
        if len(mantissa) > MAX_DIGITS or len(exponent) > 9 or abs(int(exponent or 0)) > MAX_EXPONENT:
            self.at = begin
            raise self.wrong(
                f"a number of at most {MAX_DIGITS:,} digits and an exponent up to {MAX_EXPONENT}"
            )
        try:
            return Fraction(text)
        except ZeroDivisionError:
            self.at = begin
            raise self.wrong("a denominator other than 0") from None

    def string(self, expected: str) -> str:
        """Return what stands in quotes next."""
        text = self.take(STRING, expected)[1:-1]
        return ESCAPE.sub(r"\1", text) if "\\" in text else text

    def sees(self, *begins: str) -> bool:
        """Return whether one of some texts comes next."""
        return self.text.startswith(begins, self.at)

    def take(self, token: re.Pattern[str], expected: str) -> str:
        """Return the next word, which must be of a kind, and move on."""
        match = token.match(self.text, self.at)
        if match is None:
            raise self.wrong(expected)
        self.at = match.end()
        return match[token.groups and 1]

    def line(self) -> int:
        """Return the number of the line that has been come to, from 1."""
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line

    def wrong(self, expected: str) -> ValueError:
        """Return the error that something else was expected next."""
        return self.error(f"expected {expected}{self.got()}")

    def got(self) -> str:
        """Return the end of a message: what comes next."""
        word = WORD.match(self.text, self.at)
        if word is None:
            return ", got the end of the file"
        return f", got {word[0] if len(word[0]) <= SHOWN else word[0][:SHOWN] + '…'!r}"

    def error(self, message: str) -> ValueError:
        """Return an error that names the line."""
        return ValueError(f"line {self.line()}: {message}")
