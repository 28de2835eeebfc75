"""Options as fields: what a method can be told on a form is the dataclass that lists it.

The command line, refusals, what results keep of a call and the page of methods are read off its fields.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self, get_args, get_type_hints

import numpy as np

from treeplex.games.base.errors import BadInputError
from treeplex.games.base.parameters import check_types
from treeplex.games.base.reading import shown


@dataclass(frozen=True)
class Option:
    """One option of a method.

    Attributes
    ----------
    name : str
        As in ``treeplex.solve(..., name=value)`` and ``--set NAME=VALUE``.
    text : str
        What it says.
    legal : str
        Legal values, in words.
    read : callable
        Reads the text after ``NAME=``; raises ``ValueError``.
    """

    name: str
    text: str
    legal: str
    read: Callable[[str], object]


def option(text: str, legal: str, read: Callable[[str], object] = str) -> Any:
    """Return the field of an option, which is None unless given: the method's default."""
    return field(default=None, metadata={"text": text, "legal": legal, "read": read})


def plain(value: Any) -> Any:
    """Return a number of numpy as Python's own, anything else as it is."""
    return value.item() if isinstance(value, np.generic) else value


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of some methods on a form: the fields of a subclass, made by :func:`option`.

    Examples
    --------
    >>> @dataclass(frozen=True, kw_only=True)
    ... class Seeded(Options):
    ...     seed: int | None = option("Of the random numbers.", "an integer", int)
    >>> Seeded.of("mccfr", "table", {"seed": 7}).given
    {'seed': 7}
    >>> Seeded.of("mccfr", "table", {"storage": "int16"})
    Traceback (most recent call last):
    treeplex.games.base.errors.BadInputError: mccfr on table takes seed, got storage 'int16'
    """

    @classmethod
    def listed(cls) -> tuple[Option, ...]:
        """Return the options, in order."""
        return tuple(Option(one.name, **one.metadata) for one in fields(cls))

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of the options, in order."""
        return tuple(one.name for one in fields(cls))

    @classmethod
    def of(cls, method: str, form: str, given: Mapping[str, object]) -> Self:
        """Return the options that were given; None is not given.

        Raises
        ------
        ValueError
            If the method has no such option on the form, a text is empty, or a number or a flag is of another
            kind.
        """
        names = cls.names()
        chosen = {name: value for name, value in given.items() if value is not None}
        for name, value in chosen.items():
            if name not in names:
                takes = ", ".join(names) or "no options"
                raise BadInputError(f"{method} on {form} takes {takes}, got {name} {shown(value)}")
            if value == "":
                raise BadInputError(f"{name} must not be empty; leave it out for the method's default")
        hints = get_type_hints(cls)
        checked = {name for name, hint in hints.items() if get_args(hint)[0] in (bool, int, float)}
        check_types(cls, {name: value for name, value in chosen.items() if name in checked})
        return cls(**chosen)

    @property
    def given(self) -> dict[str, Any]:
        """What was given, by name."""
        return {name: value for name in self.names() if (value := getattr(self, name)) is not None}


@dataclass(frozen=True, kw_only=True)
class Planned(Options):
    """The option of minimisers whose rule depends on how many iterations are planned."""

    horizon: int | None = option("Planned iterations; those of the run unless given.", "an integer", int)


def horizon_of(options: Options) -> int | None:
    """Return how many iterations are planned; None where that does not matter, or was not given."""
    return options.horizon if isinstance(options, Planned) else None


def read_setting(setting: str, known: Mapping[str, Option]) -> tuple[str, object]:
    """Return the name and the value of ``NAME=VALUE``.

    Raises
    ------
    ValueError
        If it is none, or there is no option of that name, or the value is none of its values.
    """
    name, equals, text = setting.partition("=")
    if not equals:
        raise BadInputError(f"a setting is NAME=VALUE, got {shown(setting)}")
    if name not in known:
        raise BadInputError(f"settings are {', '.join(sorted(known))}, got {shown(name)}")
    one = known[name]
    try:
        return name, one.read(text)
    except ValueError:
        raise BadInputError(f"{name} must be {one.legal}, got {shown(text)}") from None


def read_flag(text: str) -> bool:
    """Return whether a text says yes or no; raises ``ValueError``."""
    words = {"true": True, "yes": True, "false": False, "no": False}
    if text.lower() not in words:
        raise BadInputError(f"must be true or false, got {text!r}")
    return words[text.lower()]
