"""Sampling into a hash table of the infosets that were met: on betting lines of poker games, or on rules."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from treeplex.cfr.engine import Mapped
from treeplex.cfr.sampling import poker_sampling, table_sampling
from treeplex.cfr.sampling.poker_sampling import MAX_INFOSETS
from treeplex.cfr.sampling.sampling_config import Sampling
from treeplex.core.problem import Problem
from treeplex.core.result import Facts
from treeplex.core.strategy import SampledStrategy
from treeplex.core.table_facts import TableBytes
from treeplex.files.strategies import ROWS
from treeplex.games.base.errors import BadInputError
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.certify.certificate import Certificate
from treeplex.solving.form import AnyEngine, AnyRun, Form, Limits
from treeplex.solving.on_trees import Seeded, sampler
from treeplex.solving.options import Options, option


@dataclass(frozen=True, kw_only=True)
class OnTable(Seeded):
    """Options of sampling into a hash table."""

    max_infosets: int | None = option("The run ends when the table has more.", "an integer", int)


class Table(Form):
    """Infosets met by sampling, in a hash table; nothing certifies what is learned."""

    name = "table"
    written = ROWS
    about = "infosets met by sampling, in a hash table, certified by nothing"
    options: ClassVar[Mapping[str, type[Options]]] = MappingProxyType(
        {"mccfr-external": OnTable, "mccfr-outcome": OnTable}
    )
    slice_seconds = 5.0  # each slice copies the table
    is_walked = False

    def config(self, method: str, options: Options) -> Sampling:
        """Return how is sampled."""
        assert isinstance(options, OnTable)
        found = sampler(method, Seeded(average=options.average, seed=options.seed))
        assert isinstance(found, Sampling)
        return found

    def engine(self, problem: Problem, config: Any, options: Options) -> AnyEngine:
        """Return an engine on betting lines of poker games, on the rules of others."""
        assert isinstance(options, OnTable)
        game, most = problem.game, options.max_infosets
        if isinstance(game, PokerGame):
            most = MAX_INFOSETS if most is None else most
            return Mapped(poker_sampling.prepare(game, config, most, report=problem.report), SampledStrategy)
        if most is not None:
            raise BadInputError(f"max_infosets is for poker games, got it with {game.name}")
        return Mapped(table_sampling.prepare(game, config), SampledStrategy)

    def judge(self, problem: Problem, engine: AnyEngine) -> Callable[[Any], Certificate] | None:
        """Return nothing."""
        return None

    def n_infosets(self, problem: Problem, run: AnyRun) -> int:
        """Return how many infosets were met."""
        return int(run.state.n_infosets)

    def facts(self, problem: Problem, engine: AnyEngine, run: AnyRun) -> tuple[Facts, ...]:
        """Return the bytes of the table."""
        return (TableBytes(run.state.n_bytes),)

    def check_limits(self, problem: Problem, method: str, engine: AnyEngine, limits: Limits) -> None:
        """Refuse what needs certificates, and checkpoints of games that are no poker."""
        if limits.iterations is None:
            raise BadInputError(
                f"{method} on a hash table needs a number of iterations: nothing certifies it"
            )
        if limits.target is not None:
            raise BadInputError(
                f"a target is for what can be certified, got {limits.target:g} on a hash table"
            )
        if limits.traced:
            raise BadInputError(f"a trace is of certificates, and nothing certifies {method} on a hash table")
        if limits.checkpoint is not None and not isinstance(problem.game, PokerGame):
            raise BadInputError(f"checkpoints of hash tables are for poker games, got {problem.game.name}")

    def target(self, problem: Problem) -> Any:
        """Return none."""
        return None

    def largest(self, problem: Problem) -> int:
        """Return the number of infosets of a poker game."""
        return sum(problem.sizes.infosets) if isinstance(problem.game, PokerGame) else 0

    def note(self, problem: Problem) -> Callable[[Any], str]:
        """Return how many infosets were met."""
        return _infosets_met


def _infosets_met(state: Any) -> str:
    return f"{state.n_infosets:,} infosets"
