"""Runs as their stores record them: the game, the config, and the newest generations."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from treeplex.cfr.factored.scales import FixedPoint
from treeplex.cfr.factored.state import FactoredConfig, factored_config
from treeplex.cfr.split.state import SplitState, check, fresh
from treeplex.cfr.split.trunk import Trunk
from treeplex.cfr.variants.variant import AVERAGES
from treeplex.games.display.shown import Shown
from treeplex.games.inputs.reading import complaint
from treeplex.games.poker.game import PokerGame
from treeplex.games.specs.specs import named_game
from treeplex.runs.checkpoint import Position, read_checkpoint
from treeplex.runs.identity import Identity, identity_of
from treeplex.seqform.split.split_tree import SplitTree
from treeplex.splitting.store_checkpoint import TrunkFile, trunk_files
from treeplex.store.generations.folder import RUN, StoreFolder, read_run, run_digest


def where(split: SplitTree) -> str:
    """Return the form that a run is on, as its identity says."""
    return f"{len(split.lines):,} lines on {len(split.flops):,} flops after street {split.street}"


def recorded(config: FactoredConfig) -> dict[str, Any]:
    """Return a config as objects of JSON."""
    names = {exponent: name for name, exponent in AVERAGES.items()}
    return {"average": names[config.variant.average.exponent], **asdict(config.fixed)}


def config_of(record: Mapping[str, Any]) -> FactoredConfig:
    """Return the config that :func:`recorded` describes; raises ``ValueError`` or ``TypeError``."""
    parts = dict(record)
    average = parts.pop("average")
    scales: dict[str, Any] = {key: tuple(one) if isinstance(one, list) else one for key, one in parts.items()}
    return factored_config("cfr+", average, "int32", FixedPoint(**scales))


@dataclass(frozen=True, repr=False)
class RecordedRun(Shown):
    """A run in a store.

    Attributes
    ----------
    folder : StoreFolder
    run : str
        The digest that its files carry.
    identity : Identity
    trunk : Trunk
    environment : mapping
        Versions and numba's target when it was begun.
    """

    folder: StoreFolder
    run: str
    identity: Identity
    trunk: Trunk
    environment: Mapping[str, str]

    @staticmethod
    def of(path: str | Path) -> "RecordedRun":
        """Read what a store is of.

        Raises
        ------
        ValueError
            If it is no store, damaged, or of a game or parameters that cannot be made again.
        """
        folder = StoreFolder(Path(path))
        contents = read_run(folder.path)
        try:
            identity, config = Identity(**contents["identity"]), config_of(contents["config"])
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{folder.path / RUN} is damaged: {error}") from None
        try:
            game = named_game(identity.game)
        except ValueError as error:
            raise ValueError(complaint(f"{folder.path / RUN}: {error}")) from None
        if not isinstance(game, PokerGame):
            raise ValueError(f"{folder.path} is of {identity.game}, which is no poker game")
        split = SplitTree.of(game)
        if identity_of(game, identity.method, where(split), config) != identity:
            raise ValueError(f"{folder.path} is of other rules or parameters than {identity.game} has now")
        run, environment = run_digest(contents["identity"]), contents.get("environment", {})
        return RecordedRun(folder, run, identity, Trunk.of(split, config), environment)

    def brief(self) -> str:
        """Return the game and the number of iterations."""
        files = self.generations
        return f"{self.identity.game}: {files[-1].half // 2 if files else 0:,} iterations"

    @cached_property
    def generations(self) -> tuple[TrunkFile, ...]:
        """The files of the trunk, oldest first; one a half."""
        newest = {file.half: file for file in trunk_files(self.folder.path)}
        return tuple(newest[half] for half in sorted(newest))

    def position(self, file: TrunkFile) -> Position[SplitState]:
        """Return what a file of the trunk holds; raises ``ValueError`` if it is damaged or foreign."""
        if not file.is_whole:
            raise ValueError(f"{file.path} is damaged: its name is not that of its contents")
        start = fresh(self.trunk)
        return read_checkpoint(file.path, self.identity, start, lambda state: check(self.trunk, state))
