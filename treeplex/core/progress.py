"""The callback by which computations report their stage and the width proved so far."""

from collections.abc import Callable

Progress = Callable[[str, float], None]
"""Called with what is being done and the narrowest certificate's width so far."""


def silent(stage: str, width: float) -> None:
    """Tell nobody."""
