"""Errors of the workbench: bad input, which its message says how to mend, and what was not solved.

>>> try:
...     raise BadInputError("threads must be at least 1, got 0")
... except TreeplexError as error:
...     print(error)
threads must be at least 1, got 0
"""


class TreeplexError(ValueError):
    """What is raised on purpose; its text is one line."""


class BadInputError(TreeplexError):
    """A game, a file, an option or an argument is not what it must be; the text says what it must be."""


class NotSolvedError(TreeplexError):
    """No solver proved as much as was asked for, which is nobody's mistake."""
