"""Parsing of numbers and reading of files, with errors of one line.

Rational numbers are recovered from rounded floats or decimals.
"""

import os
import re
import stat
import sys
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import isfinite
from pathlib import Path, PurePath
from typing import BinaryIO, TypeGuard

from treeplex.games.base.errors import BadInputError

Number = int | float | str | Fraction
"""How an exact number may be given; a float stands for its shortest decimal, so that 0.1 is 1/10."""
MAX_EXPONENT, MAX_DIGITS = 1000, 4000
"""The largest decimal exponent read, and most digits: exact arithmetic on more would be too slow."""

LARGE_COUNT = 10**12
"""Counts from here on are written with two digits."""
LONGEST_SHOWN, SHORT = 200, 20
"""Most characters of a value that an error quotes, and of a number too long to be one."""
STANDARD_INPUT = "-"
"""The path that stands for standard input."""
MOST_TEXT = 2**28
"""Most bytes of a text that is read: a game of a million histories takes fewer."""
CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that move a terminal's cursor, colour it or turn its text round, and halves of pairs."""
LONGEST_COMPLAINT = 500
"""Most characters of an error's one line: specs can be as long as a matrix."""


def amount_text(amount: Fraction) -> str:
    """Write an amount as an integer, a finite decimal or p/q, whichever is the first that is exact."""
    amount = Fraction(amount)
    if amount.denominator == 1:
        return digits(amount.numerator)
    twos = fives = 0
    rest = amount.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return f"{digits(amount.numerator)}/{digits(amount.denominator)}"
    places = max(twos, fives)
    whole = digits(abs(amount.numerator) * 10**places // amount.denominator).rjust(places + 1, "0")
    return f"{'-' if amount < 0 else ''}{whole[:-places]}.{whole[-places:]}"


def digits(number: int) -> str:
    """Return an integer's digits, however many: Python's own ``str`` stops at 4,300."""
    from flint import fmpz

    return str(fmpz(number))


def rounded_count(count: int) -> str:
    """Write a count, rounded down to two digits where it is large.

    >>> rounded_count(1234567), rounded_count(24631234567890)
    ('1,234,567', '2.4e13')
    """
    if count < LARGE_COUNT:
        return f"{count:,}"
    leading = Decimal(count).as_tuple().digits
    return f"{leading[0]}.{leading[1]}e{len(leading) - 1}"


def shortened(text: str, longest: int) -> str:
    """Return a text, with its middle cut out if it is longer than ``longest``.

    >>> shortened("123456789", 5)
    '12…89'
    """
    if len(text) <= longest:
        return text
    head = longest // 2
    return f"{text[:head]}…{text[len(text) - (longest - head - 1) :]}"


def visible(text: str) -> str:
    r"""Return a text in which what terminals obey is written as Python would write it.

    >>> print(visible("\x1b[31mred"))
    \x1b[31mred
    """
    return CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def complaint(text: str) -> str:
    """Return an error's text as one line of at most ``LONGEST_COMPLAINT`` characters, all visible."""
    return shortened(visible(" ".join(text.split())), LONGEST_COMPLAINT)


def exact(value: Number, what: str) -> Fraction:
    """Return the number that a user wrote, exactly: the float 0.1 becomes 1/10.

    Parameters
    ----------
    value : int, float, str or Fraction
        A float stands for its shortest decimal.
    what : str
        The name of the value, for the error.

    Raises
    ------
    ValueError
        If the value is not a finite number of at most 4,000 digits.
    """
    try:
        number = _exact(value)
    except (ValueError, TypeError, ArithmeticError):
        raise BadInputError(f"{what} must be a finite number, got {shown(value)}") from None
    if number is None or max(abs(number.numerator), number.denominator) >= 10**MAX_DIGITS:
        most = f"at most {MAX_DIGITS:,} digits and exponents of at most {MAX_EXPONENT:,}"
        raise BadInputError(f"{what} must have {most}, got {shortened(_written(value), SHORT)}")
    return number


def _exact(value: object) -> Fraction | None:
    """Return a number exactly; None if it is written with too many digits or too large an exponent."""
    if isinstance(value, bool):
        raise TypeError
    if isinstance(value, int | Fraction):
        return Fraction(value)
    text = str(value)
    if len(text) > MAX_DIGITS:
        return None
    if "/" not in text:  # a fraction has no exponent
        number = Decimal(text)
        return Fraction(text) if abs(number.adjusted()) <= MAX_EXPONENT else None
    return Fraction(text)


def spelled(text: str) -> Fraction:
    """Return the fraction that a decimal such as ``0.1`` or ``2.8E-10`` spells.

    Raises
    ------
    ValueError
        If the text is not a finite decimal of at most 4,000 characters with an exponent of at most 1000.
    """
    check_digits(text)
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise BadInputError(f"a number must be a decimal such as 0.5 or 2.8E-10, got {shown(text)}") from None
    if not number.is_finite() or abs(number.adjusted()) > MAX_EXPONENT:
        raise BadInputError(f"a number must be finite and below 1e{MAX_EXPONENT}, got {shown(text)}")
    return Fraction(number)


def integer(text: str) -> int:
    """Return the integer that digits spell.

    Raises
    ------
    ValueError
        If there are more than 4,000 characters.
    """
    check_digits(text)
    return int(text)


def check_digits(text: str) -> None:
    """Raise ValueError if a number has more than 4,000 characters."""
    if len(text) > MAX_DIGITS:
        raise too_long(text)


def too_long(text: str) -> ValueError:
    """Return the error of a number that has too many digits."""
    return BadInputError(f"a number must have at most {MAX_DIGITS:,} digits, got {shortened(text, SHORT)}")


def positive(key: str, value: object) -> Fraction:
    """Return a number of a file, exactly.

    Raises
    ------
    ValueError
        If it is not a number greater than 0; the message starts with ``key``.
    """
    if is_number(value) and value > 0:
        return Fraction(value)
    raise BadInputError(f"{key} must be a number > 0, got {shown(value)}")


def at_least_zero(key: str, value: object) -> Fraction:
    """Return a number of a file, exactly.

    Raises
    ------
    ValueError
        If it is not a number of at least 0; the message starts with ``key``.
    """
    if is_number(value) and value >= 0:
        return Fraction(value)
    raise BadInputError(f"{key} must be a number >= 0, got {shown(value)}")


def is_number(value: object) -> TypeGuard[int | Fraction]:
    """Return whether a value is an exact number, which true and false are not."""
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def shown(value: object) -> str:
    """Return a value as errors show it: numbers as users write them, long values without their middle."""
    return shortened(_written(value), LONGEST_SHOWN)


def _written(value: object) -> str:
    if is_number(value):
        return amount_text(Fraction(value))
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, PurePath):
        return repr(str(value))
    return str(value).lower() if value is None or isinstance(value, bool) else repr(value)


def read_text(path: str | Path) -> str:
    """Return a text file's content.

    Raises
    ------
    ValueError
        As :func:`read_bytes`; or if it is not UTF-8, or has more than ``MOST_TEXT`` bytes.
    """
    try:
        return read_bytes(path, MOST_TEXT).decode("utf-8-sig")  # some editors begin files with a mark
    except UnicodeDecodeError:
        raise BadInputError(f"cannot read {path}: it is not UTF-8 text") from None


def read_bytes(path: str | Path, most: int) -> bytes:
    """Return the content of a regular file, or of standard input where the path is ``-``.

    Raises
    ------
    ValueError
        If it is missing, unreadable, a directory, a device or a FIFO, or has more than ``most`` bytes.
    """
    if str(path) == STANDARD_INPUT:
        content = sys.stdin.buffer.read(most + 1)
    else:
        with open_file(path) as file:
            content = file.read(most + 1)
    if len(content) > most:
        raise BadInputError(f"cannot read {path}: it has more than {most:,} bytes")
    return content


def open_file(path: str | Path) -> BinaryIO:
    """Open a regular file; a FIFO is refused without waiting for its writer, a device without reading it.

    Raises
    ------
    ValueError
        If it is missing, unreadable or no regular file.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            return os.fdopen(descriptor, "rb")
        os.close(descriptor)
    except OSError as error:
        raise BadInputError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        raise BadInputError(f"cannot read {str(path)!r}: no file has such a name") from None
    raise BadInputError(f"cannot read {path}: it is no regular file")


LARGEST_DENOMINATOR = 10**6
ROUNDING = Fraction(1, 2**48)
"""How far a float may be, relatively, from the fraction it stands for: about thirty roundings."""
WRITTEN = Fraction(1, 10**15)
"""How far a decimal may be from the fraction it stands for; OpenSpiel writes sixteen places."""


def exact_payoff(value: float) -> Fraction:
    """Return the fraction that a float stands for.

    It is the nearest with a denominator of a million at most, if the float is within 2^-48 of it,
    relatively; else the float's own dyadic value.

    Raises
    ------
    ValueError
        If it is not finite.
    """
    if not isfinite(value):
        raise BadInputError(f"a payoff must be finite, got {value}")
    dyadic = Fraction(value)
    return _near(dyadic, abs(dyadic) * ROUNDING)


def exact_chance(probabilities: Sequence[float]) -> tuple[Fraction, ...]:
    """Return exact probabilities for floats; they sum to exactly one.

    Each is what :func:`exact_payoff` makes of its float, if these sum to exactly one. Else each is its
    float's dyadic value, divided by the sum of all.

    Raises
    ------
    ValueError
        If one is not positive and finite, or their sum is further than 1e-6 from one.
    """
    if not probabilities or not all(isfinite(p) and p > 0 for p in probabilities):
        raise BadInputError(f"probabilities must be positive, got {list(probabilities)}")
    near = tuple(map(exact_payoff, probabilities))
    if sum(near) == 1:
        return near
    dyadic = tuple(map(Fraction, probabilities))
    total = sum(dyadic, Fraction(0))
    if abs(total - 1) > Fraction(1, 10**6):
        raise BadInputError(f"probabilities must sum to 1, got {float(total)}")
    return tuple(p / total for p in dyadic)


def exact_decimals(probabilities: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return the fractions that rounded decimals, whose sum is only nearly one, stand for.

    Each is the nearest fraction with a denominator of at most a million if that is within 1e-15, else the
    decimal itself. Their sum is not checked.
    """
    return tuple(_near(p, WRITTEN) for p in probabilities)


def _near(value: Fraction, within: Fraction) -> Fraction:
    """Return the nearest fraction with a small denominator if it is near, and not 0; else the value."""
    near = value.limit_denominator(LARGEST_DENOMINATOR)
    return near if near and abs(near - value) <= within else value
