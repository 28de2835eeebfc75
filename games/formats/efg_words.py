"""Lexer of Gambit's extensive-form files (``.efg``): strings, numbers and braces, with line numbers."""

import re
from fractions import Fraction

from treeplex.games.inputs.reading import MAX_DIGITS

MAX_EXPONENT = 400
"""Exponents beyond this are refused, either way."""
SHOWN = 30
"""Most characters of the text that an error quotes."""


def _token(body: str) -> re.Pattern[str]:
    return re.compile(rf"({body})\s*+", re.ASCII | re.DOTALL)


# All quantifiers are possessive: matching is linear in the length of the text.
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
    """A position in a text that advances word by word, skipping white space.

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
        """Return the quoted string that comes next, without quotes."""
        text = self.take(STRING, expected)[1:-1]
        return ESCAPE.sub(r"\1", text) if "\\" in text else text

    def sees(self, *begins: str) -> bool:
        """Return whether the text continues with one of ``begins``."""
        return self.text.startswith(begins, self.at)

    def take(self, token: re.Pattern[str], expected: str) -> str:
        """Return the next word, which must match ``token``, and advance."""
        match = token.match(self.text, self.at)
        if match is None:
            raise self.wrong(expected)
        self.at = match.end()
        return match[token.groups and 1]

    def line(self) -> int:
        """Return the current line number, from 1."""
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line

    def wrong(self, expected: str) -> ValueError:
        """Return the error for an unexpected next word."""
        return self.error(f"expected {expected}{self.got()}")

    def got(self) -> str:
        """Return the end of an error message: the text found."""
        word = WORD.match(self.text, self.at)
        if word is None:
            return ", got the end of the file"
        return f", got {word[0] if len(word[0]) <= SHOWN else word[0][:SHOWN] + '…'!r}"

    def error(self, message: str) -> ValueError:
        """Return an error that names the line."""
        return ValueError(f"line {self.line()}: {message}")
