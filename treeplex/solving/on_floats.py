"""Betting lines times boards in float64: a trial of how a form comes in."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from treeplex.cfr.boards.board_state import FactoredConfig, factored_config
from treeplex.solving.on_boards import FAMILY, Boards, OnBoards
from treeplex.solving.options import Options


@dataclass(frozen=True, kw_only=True)
class OnFloats(OnBoards):
    """Options of the CFR family on boards in float64."""


class Floats(Boards):
    """Betting lines times boards whose tables hold float64 whatever else is asked for."""

    name = "floats"
    about = "betting lines times boards in float64"
    options: ClassVar[Mapping[str, type[Options]]] = MappingProxyType(dict.fromkeys(FAMILY, OnFloats))

    def config(self, method: str, options: Options) -> FactoredConfig:
        """Return the variant in float64."""
        assert isinstance(options, OnFloats)
        return factored_config(method, options.average, "float64")
