"""Parsing of numbers and reading of files; errors are one line."""

from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import TypeGuard

Number = int | float | str | Fraction
"""How an exact number may be given; a float stands for its shortest decimal, so that 0.1 is 1/10."""
MAX_EXPONENT = 1000
"""The largest decimal exponent read: exact arithmetic on larger numbers would be too slow."""

LARGE_COUNT = 10**12
"""Counts from here on are written with two digits."""
LONGEST_SHOWN = 200
"""Most characters of a value that an error quotes."""
LONGEST_COMPLAINT = 500
"""Most characters of an error's one line: specs can be as long as a matrix."""


def amount_text(amount: Fraction) -> str:
    """Write an amount as an integer, a finite decimal or p/q, whichever is the first that is exact."""
    amount = Fraction(amount)
    if amount.denominator == 1:
        return str(amount.numerator)
    twos = fives = 0
    rest = amount.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return f"{amount.numerator}/{amount.denominator}"
    places = max(twos, fives)
    digits = f"{abs(amount.numerator) * 10**places // amount.denominator:0{places + 1}d}"
    return f"{'-' if amount < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def count_text(count: int) -> str:
    """Write a count, rounded down to two digits where it is large.

    >>> count_text(1234567), count_text(24631234567890)
    ('1,234,567', '2.4e13')
    """
    if count < LARGE_COUNT:
        return f"{count:,}"
    digits = Decimal(count).as_tuple().digits
    return f"{digits[0]}.{digits[1]}e{len(digits) - 1}"


def shortened(text: str, longest: int) -> str:
    """Return a text, with its middle cut out if it is longer than ``longest``.

    >>> shortened("123456789", 5)
    '12…89'
    """
    if len(text) <= longest:
        return text
    head = longest // 2
    return f"{text[:head]}…{text[len(text) - (longest - head - 1) :]}"


def complaint(text: str) -> str:
    """Return an error's text as one line of at most ``LONGEST_COMPLAINT`` characters."""
    return shortened(" ".join(text.split()), LONGEST_COMPLAINT)


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
        If the value is not a finite number.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        return Fraction(value) if isinstance(value, int | Fraction) else Fraction(str(value))
    except (ValueError, TypeError, ZeroDivisionError):
        raise ValueError(f"{what} must be a finite number, got {value!r}") from None


def spelled(text: str) -> Fraction:
    """Return the fraction that a decimal such as ``0.1`` or ``2.8E-10`` spells.

    Raises
    ------
    ValueError
        If the text is not a finite decimal with an exponent of at most 1000.
    """
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise ValueError(f"a number must be a decimal such as 0.5 or 2.8E-10, got {text!r}") from None
    if not number.is_finite() or abs(number.adjusted()) > MAX_EXPONENT:
        raise ValueError(f"a number must be finite and below 1e{MAX_EXPONENT}, got {text!r}")
    return Fraction(number)


def positive(key: str, value: object) -> Fraction:
    """Return a number of a file, exactly.

    Raises
    ------
    ValueError
        If it is not a number greater than 0; the message starts with ``key``.
    """
    if is_number(value) and value > 0:
        return Fraction(value)
    raise ValueError(f"{key} must be a number > 0, got {shown(value)}")


def at_least_zero(key: str, value: object) -> Fraction:
    """Return a number of a file, exactly.

    Raises
    ------
    ValueError
        If it is not a number of at least 0; the message starts with ``key``.
    """
    if is_number(value) and value >= 0:
        return Fraction(value)
    raise ValueError(f"{key} must be a number >= 0, got {shown(value)}")


def is_number(value: object) -> TypeGuard[int | Fraction]:
    """Return whether a value is an exact number, which true and false are not."""
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def shown(value: object) -> str:
    """Return a value as errors show it: fractions as users write them, long values without their middle."""
    return shortened(amount_text(value) if isinstance(value, Fraction) else repr(value), LONGEST_SHOWN)


def read_text(path: str | Path) -> str:
    """Return a text file's content.

    Raises
    ------
    ValueError
        If the file is missing, unreadable or not UTF-8.
    """
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = "is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise ValueError(f"{path}: cannot be read: {reason}") from None
