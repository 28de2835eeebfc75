"""Solutions that pages show: a game, a strategy and its certificate, read or solved from what was typed."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import inf
from pathlib import Path
from types import MappingProxyType

from treeplex.cfr.bucket_sampling.blueprint_strategy import BlueprintStrategy
from treeplex.core.loading import load
from treeplex.core.problem import Problem
from treeplex.core.progress import Progress, silent
from treeplex.core.result import Result, completed_text, result_table
from treeplex.core.strategy import Strategy
from treeplex.files import strategies
from treeplex.files.completion import check_unused
from treeplex.files.split_store import RecordedRun
from treeplex.files.store_folder import is_store
from treeplex.games.base.display import Shown
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.number_texts import interval_texts
from treeplex.games.base.reading import shortened, shown
from treeplex.games.buckets.card_abstraction import CardAbstraction
from treeplex.games.formats.specs import file_of
from treeplex.games.poker.game import PokerGame
from treeplex.games.poker.push_fold import PushFold
from treeplex.pictures.bucket_picture import BucketPicture
from treeplex.pictures.hand_picture import Picture
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.seqform.certify.board_values import HandValues
from treeplex.seqform.forms.profile import Profile
from treeplex.solving.check import check, losses
from treeplex.views.buckets import bucket_picture, has_bucket_map
from treeplex.views.ranges import NodeRanges
from treeplex.views.show import GIVEN, judge_of, show, solved, solved_by, with_expected_values

MOST_SOLUTIONS = 64
"""Solutions that one server shows."""
HEADLINE = ("method", "value", "proved", "exploitability", "certified")
"""Those of one line, in which ``proved`` is in words."""
IN_UNIT = ("proved", "exact value")
"""Rows of a result whose unit pages add."""
LONGEST_TITLE = 80
"""Characters of a game's name in headings."""
KEPT_PICTURES = 64
"""Pictures of nodes that each solution keeps."""
HEADED = ("method", "status", "value", "proved", "exact value", "exploitability", "certified", "lower bounds")
"""Rows of a result that stand on every page."""

MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "method": 'what found the strategy; "file": it was read',
        "status": (
            'what was proved of the strategy: "proved to" the width of the interval, "certified" where it '
            'was read and its interval computed, "exact" in fractions'
        ),
        "value": (
            "what player 0 wins on average over a hand if both play this strategy; of a pot that is there at "
            "the start each has put in half"
        ),
        "proved": "player 0 wins no less and no more than this where both play best",
        "exact value": "what player 0 wins where both play best",
        "exploitability": (
            "what the best play against the strategy wins more than it should, on average over both seats; 0 "
            "where both sides play best"
        ),
        "certified": "what best responses to the strategy prove",
        "lower bounds": "what certain players win against it, so that it loses at least as much",
    }
)
"""What rows of a result say, beside them on pages; the long answers are in docs/GLOSSARY.md."""


@dataclass(frozen=True, repr=False, eq=False)
class Solution(Shown):
    """A game and a strategy of it, with what is proved.

    Attributes
    ----------
    name : str
        In addresses: letters, figures, ``_`` and ``-``.
    problem : Problem
    strategy : Strategy or RecordedRun
        A strategy, or the folder of a split run, of which a page reads what it needs.
    source : str
        Where the strategy comes from, as ``show`` says it.
    result : Result or None
        With the certificate; None of the folder of a split run, which ``treeplex check`` judges.
    is_solved : bool
        Whether it was solved here, so that pictures tell NashConv and seconds as ``show`` does.
    """

    name: str
    problem: Problem
    strategy: Strategy | RecordedRun
    source: str
    result: Result | None
    is_solved: bool

    def brief(self) -> str:
        """Return the game and where the strategy comes from."""
        return f"{self.title}: {self.source}"

    @property
    def title(self) -> str:
        """The game, its middle cut out if it is long."""
        return shortened(self.problem.game.name, LONGEST_TITLE)

    @property
    def has_hands(self) -> bool:
        """Whether nodes are shown hand by hand; other games are shown by public states."""
        return isinstance(self.problem.game, PokerGame | PushFold)

    @property
    def can_be_played(self) -> bool:
        """Whether hands are played against the strategy: it is read whole, and has infosets by their keys.

        What is no table sees suits, so that it has none of a game that hides them.
        """
        game = self.problem.game
        hides = isinstance(game, PokerGame) and game.sees_ranks_only and game.suits > 1
        return isinstance(self.strategy, Profile) or (isinstance(self.strategy, Strategy) and not hides)

    @property
    def has_values(self) -> bool:
        """Whether ``show`` values hands: the strategy is a table, or is on boards and read whole."""
        return isinstance(self.strategy, Profile | FactoredStrategy)

    @property
    def abstraction(self) -> CardAbstraction | None:
        """The buckets of a sampled blueprint that ``show`` draws; None of others, and of no hold'em."""
        game, strategy = self.problem.game, self.strategy
        if not isinstance(strategy, BlueprintStrategy) or not isinstance(game, PokerGame):
            return None
        return strategy.layout.abstraction if has_bucket_map(game) else None

    @cached_property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """Names and values that every page shows: unit, source, method, value interval, exploitability."""
        told = (("unit", self.problem.game.unit), ("source", self.source))
        if self.result is None:
            return (*told, ("certified", "nothing here: treeplex check judges the folder of a split run"))
        unit = self.problem.game.unit
        rows = (row for row in result_table(self.result).rows if row[0] in HEADED)
        return (*told, *((name, f"{text} {unit}" if name in IN_UNIT else text) for name, text in rows))

    @property
    def explained(self) -> tuple[tuple[str, str, str], ...]:
        """The same facts, each with what it says in plain words; empty of those that say it themselves."""
        return tuple((name, value, MEANINGS.get(name, "")) for name, value in self.facts)

    @property
    def headline(self) -> tuple[tuple[str, str], ...]:
        """What is proved, in one line: names and what they say."""
        said = dict(self.facts)
        if self.result is not None and (proof := self.result.certificate) is not None:
            _, low, high = interval_texts(proof.value, proof.lower, proof.upper)
            each = f"{self.problem.game.unit} a {'hand' if self.has_hands else 'game'}"
            said["proved"] = f"best play wins player 0 between {low} and {high} {each}"
        return tuple((name, said[name]) for name in HEADLINE if name in said)

    @cached_property
    def losses(self) -> Mapping[tuple[int, str], float] | None:
        """What each infoset's behaviour costs its player; those that are absent cost 0. None on boards."""
        if not isinstance(self.strategy, Profile):
            return None
        return {(one.player, one.infoset): one.loss for one in losses(self.problem, self.strategy)}

    def picture(self, line: str, board: str, map: str) -> Picture:
        """Return what ``show`` returns of a node; raises ``ValueError`` as it does."""
        found = self.shown(line, board, map)
        assert isinstance(found, Picture)
        return found

    def buckets(self, board: str) -> BucketPicture:
        """Return the map of a blueprint's buckets on a board; raises ``ValueError`` as ``show`` does."""
        return self._buckets(board)

    @cached_property
    def _buckets(self) -> Callable[[str], BucketPicture]:
        game, abstraction = self.problem.game, self.abstraction
        return lru_cache(KEPT_PICTURES)(lambda board: bucket_picture(game, abstraction, board, silent))

    def shown(self, line: str, board: str, map: str) -> Picture | NodeRanges:
        """Return what ``show`` returns, both ranges too; raises ``ValueError`` as it does."""
        return self._shown(line, board, map)

    @cached_property
    def _shown(self) -> Callable[[str, str, str], Picture | NodeRanges]:
        return lru_cache(KEPT_PICTURES)(self._show)

    @cached_property
    def _judge(self) -> HandValues | None:
        return judge_of(self.problem, self.strategy)

    def _show(self, line: str, board: str, map: str) -> Picture | NodeRanges:
        if map == "ev" and self._judge is not None:
            return with_expected_values(self.picture(line, board, "strategy"), self._judge)
        found = show(self.problem, line, strategy=self.strategy, board=board, map=map)
        assert isinstance(found, Picture | NodeRanges)
        if found.source != GIVEN:
            return found
        if self.is_solved and self.result is not None and isinstance(found, Picture):
            nash_conv, seconds = self.result.nash_conv, self.result.seconds
            return replace(found, source=self.source, nash_conv=nash_conv, seconds=seconds)
        return replace(found, source=self.source)


def solutions_of(
    sources: Sequence[str],
    *,
    strategy: Path | None = None,
    missing: str = "error",
    abstraction: Path | None = None,
    progress: Progress,
    has_others: bool = False,
) -> tuple[Solution, ...]:
    """Return a solution for each source: read and judged, or solved where it is a game alone.

    Parameters
    ----------
    sources : sequence of str
        Each a ``SPEC``, which is solved if it is small; ``SPEC=FILE``, a strategy file of a game; or the
        folder of a split run, which names its game.
    strategy : Path, optional
        The file of the one source there is.
    missing, abstraction : as :func:`treeplex.show` takes them, of files
    has_others : bool
        Whether something else is shown, so that there may be no source.

    Raises
    ------
    ValueError
        If a source is none of these, or as :func:`treeplex.show` and :func:`treeplex.check` raise.
    """
    if not (0 if has_others and strategy is None else 1) <= len(sources) <= MOST_SOLUTIONS:
        raise BadInputError(f"there must be 1 to {MOST_SOLUTIONS} sources, got {len(sources)}")
    pairs = [split_source(source) for source in sources]
    if strategy is not None:
        if len(pairs) > 1 or pairs[0][1] is not None:
            raise BadInputError(
                f"--strategy is of one SPEC; write SPEC=FILE for each of several, got {shown(sources[-1])}"
            )
        pairs = [(pairs[0][0], str(strategy))]
    if all(file is None for _, file in pairs):
        check_unused(missing, "no strategy")
        if abstraction is not None:
            raise BadInputError(f"an abstraction is read with a blueprint's file, got {abstraction} alone")
    names: list[str] = []
    found = []
    for spec, file in pairs:
        names.append(name_of(spec if file is None else f"{spec}-{Path(file).name}", names))
        progress(f"making {shortened(spec, LONGEST_TITLE)} ready", inf)
        found.append(_solution(names[-1], spec, file, missing, abstraction, progress))
    return tuple(found)


def split_source(source: str) -> tuple[str, str | None]:
    """Return the game and the file of a source; None where it names no file. Paths of games may hold ``=``.

    >>> split_source("leduc_poker(ranks=5)=mine.csv")
    ('leduc_poker(ranks=5)', 'mine.csv')
    >>> split_source("leduc_poker(ranks=5)")
    ('leduc_poker(ranks=5)', None)
    """
    depth, places = 0, []
    for place, letter in enumerate(source):
        depth += (letter in "([") - (letter in ")]")
        if letter == "=" and depth == 0:
            places.append(place)
    if not places or _is_game_file(source) or is_store(source):
        return source, None
    place = next((one for one in places if _is_game_file(source[:one])), places[0])
    spec, file = source[:place], source[place + 1 :]
    if not spec or not file:
        raise BadInputError(f"a source must be SPEC, SPEC=FILE or a store, got {shown(source)}")
    return spec, file


def _is_game_file(spec: str) -> bool:
    """Return whether a spec names a file that is there."""
    return (file := file_of(spec)) is not None and Path(file).is_file()


def name_of(text: str, taken: Sequence[str]) -> str:
    """Return a name for addresses that no other solution has, the same whenever the same is typed."""
    plain = re.sub(r"[^A-Za-z0-9_]+", "-", text).strip("-")[-60:].strip("-") or "game"
    numbered = (f"{plain}-{number}" for number in range(2, MOST_SOLUTIONS + 2))
    return next(one for one in (plain, *numbered) if one not in taken)


def _solution(
    name: str, spec: str, file: str | None, missing: str, abstraction: Path | None, progress: Progress
) -> Solution:
    if file is None and Path(spec).is_dir() and is_store(spec):
        run = RecordedRun.of(spec)
        problem = load(run.trunk.split.game, progress=progress)
        return Solution(name, problem, run, f"store {spec}", None, False)
    if file is None:
        if Path(spec).suffix.lower() in strategies.SUFFIXES:
            if not Path(spec).is_file():
                raise BadInputError(f"cannot read {spec}: there is no file of that name")
            raise BadInputError(f"a strategy file needs its game: write SPEC={spec}")
        problem = load(spec, progress=progress)
        result = solved(problem, progress)
        return Solution(name, problem, result.strategy, solved_by(result), result, True)
    problem = load(spec, progress=progress)
    if is_store(file):
        check_unused(missing, "a store")
        if abstraction is not None:
            raise BadInputError(f"an abstraction is for a sampled blueprint, got the store {file}")
        run = RecordedRun.of(file)
        run.check_game(problem.game)
        return Solution(name, problem, run, f"store {file}", None, False)
    source = f"strategy {file}"
    strategy: Strategy | None = strategies.blueprint_of(problem, Path(file), abstraction)
    if strategy is None:
        completed = strategies.strategy_of(problem, Path(file), missing)
        strategy = completed.strategy
        source = ", ".join(filter(None, (source, completed_text(completed.counts))))
    else:
        check_unused(missing, "a blueprint")
    progress(f"judging {file}", inf)
    return Solution(name, problem, strategy, source, check(problem, strategy, progress=progress), False)
