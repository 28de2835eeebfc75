"""An abstraction that is to be made: what is asked of each street, and how it comes about.

Asked are the kind and the number of buckets of each street. Finished streets are kept beside an output, so
that a run that was ended goes on.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np

from treeplex.cfr.boards.factored_cfr import check_threads
from treeplex.core.problem import Problem
from treeplex.files.abstraction_file import DTYPES
from treeplex.files.archives import ExpectedArray
from treeplex.files.board_files import rules_of
from treeplex.files.kept import Kept
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.packed_arrays import digest_of
from treeplex.games.base.parameters import check_integer, check_kind, check_word
from treeplex.games.base.reading import shown
from treeplex.games.base.reporting import Report, quiet
from treeplex.games.buckets.atoms import Ground
from treeplex.games.buckets.card_abstraction import (
    LOSSLESS,
    RECALLS,
    Recall,
    StreetBuckets,
    check_game,
    rounds_of,
    street_name,
    street_rounds,
)
from treeplex.games.buckets.features import BINS, KINDS, Features, KnownPoints
from treeplex.games.buckets.next_clusters import NextClusters
from treeplex.games.cards.cards import Deck
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.boards.factored_strategy import FactoredStrategy
from treeplex.solving.abstraction_warm_up import check_walkable, expected_values, warmed_up
from treeplex.solving.street_bucketing import (
    SHORT_SEARCH,
    USUAL_SEARCH,
    Above,
    Search,
    Source,
    StreetDeals,
    clustered,
    street_buckets,
)

OF_POKER = "abstractions are of poker games"
"""In errors: what poker games are needed for."""
EMD = "emd"
"""Potential-aware buckets, by the earth mover's distance of distributions over the next street's clusters."""
WEVA = "weva"
"""Buckets by what hands win at all decisions of the street, after a few iterations of CFR on the game."""
EXAMPLE = "flop:2000:hist,turn:1000:hist,river:1000:ochs"


@dataclass(frozen=True)
class Wanted:
    """What is asked of one street.

    Attributes
    ----------
    name : str
    kind : str
        ``lossless`` or a kind of features.
    count : int
        Number of buckets; of a lossless street, its deals up to suits.
    """

    name: str
    kind: str
    count: int


def wanted_streets(text: str, deck: Deck, rounds: tuple[int, ...], recall: Recall) -> tuple[Wanted, ...]:
    """Return what is asked of each street of a game; streets that are not named are lossless.

    Parameters
    ----------
    text : str
        Such as ``flop:2000:hist,turn:1000:hist,river:lossless``.
    deck : Deck
    rounds : tuple of int
        Hole cards, then the board cards of each street.
    recall : {"perfect", "imperfect"}

    Raises
    ------
    ValueError
        If a street, a kind or a number of buckets cannot be, or a street is named twice.
    """
    sizes = [HandIndex(deck, one).size for one in street_rounds(rounds, recall)]
    names = tuple(map(street_name, range(len(rounds))))
    wanted = {name: Wanted(name, LOSSLESS, size) for name, size in zip(names, sizes, strict=True)}
    named: set[str] = set()
    for entry in filter(None, map(str.strip, text.split(","))):
        name, *rest = (part.strip() for part in entry.split(":"))
        check_word("a street", name, names)
        if name in named:
            raise BadInputError(f"a street may be named once, got {name} twice")
        named.add(name)
        street = names.index(name)
        wanted[name] = _wanted(name, rest, entry, sizes[street])
        if street == len(names) - 1:
            _check_last(wanted[name], recall)
    streets = tuple(wanted.values())
    if recall == "perfect":
        _check_nested(streets)
    return streets


def _wanted(name: str, rest: list[str], entry: str, size: int) -> Wanted:
    if rest == [LOSSLESS]:
        return Wanted(name, LOSSLESS, size)
    if len(rest) != 2:
        raise BadInputError(f"a street must be as in {EXAMPLE}, or {name}:{LOSSLESS}, got {shown(entry)}")
    count, kind = rest
    check_word(f"{name}: the kind of buckets", kind, (*KINDS, EMD, WEVA))
    if not (count.isascii() and count.isdigit() and 1 <= int(count[:18]) <= size):
        legal = f"from 1 to {size:,}, its deals up to suits"
        raise BadInputError(f"{name}: the number of buckets must be {legal}, got {shown(count)}")
    return Wanted(name, kind, int(count))


def _check_last(one: Wanted, recall: Recall) -> None:
    """Refuse what the last street cannot have: no street comes next, and a histogram is in one bin."""
    if one.kind == EMD:
        raise BadInputError(f"{one.name}: the kind of buckets of the last street must be another, got {EMD}")
    if one.kind == "hist" and recall == "imperfect" and one.count > BINS:
        legal = f"from 1 to {BINS}, as on the last street a histogram is in one bin"
        raise BadInputError(f"{one.name}: the number of buckets must be {legal}, got {one.count:,}")


def _check_nested(streets: tuple[Wanted, ...]) -> None:
    """Refuse fewer buckets than on the street before, which cannot all be told apart then."""
    for above, one in pairwise(streets):
        if one.count < above.count:
            raise BadInputError(
                f"with perfect recall {one.name} must have at least the {above.count:,} buckets of"
                f" {above.name}, got {one.count:,}"
            )


@dataclass(frozen=True)
class KeptStreet:
    """One street, kept beside the output in a file named after that and a digest of what decides its buckets.

    Attributes
    ----------
    kept : Kept
        The output's folder, of the run that makes such buckets.
    part : str
    kind : str
        Of buckets.
    expected : mapping from names to ExpectedArray
        The bucket of each deal, and with perfect recall the bucket above each.
    """

    kept: Kept
    part: str
    kind: str
    expected: Mapping[str, ExpectedArray]

    @staticmethod
    def of(out: Path, settings: Mapping[str, Any], n_deals: int) -> "KeptStreet":
        """Return where a street is kept; ``settings`` decide its buckets, as JSON has it."""
        run = digest_of(settings, {})
        expected = {"table": ExpectedArray(DTYPES, (n_deals,))}
        if settings["above"] is not None:
            expected["parent"] = ExpectedArray(DTYPES, (1,), grows=True)
        part = f"{out.stem}.{settings['street']}-{run[:12]}"
        return KeptStreet(Kept(out.parent, run), part, settings["kind"], expected)

    def read(self) -> StreetBuckets | None:
        """Return the street, None unless it is kept; raises ``ValueError`` as :meth:`Kept.get`."""
        found = self.kept.get(self.part, self.expected)
        if found is None:
            return None
        return StreetBuckets(self.kind, int(found["table"].max()) + 1, found["table"], found.get("parent"))

    def write(self, street: StreetBuckets) -> None:
        """Keep a street; raises ``ValueError`` if it cannot be written."""
        arrays = {"table": street.table, "parent": street.parent}
        self.kept.put(self.part, {name: array for name, array in arrays.items() if array is not None})

    def remove(self) -> None:
        """Remove the file, if it is there."""
        self.kept.path(self.part).unlink(missing_ok=True)


VERSION = 1
"""Of features and clusters: streets that another version kept are not used."""
NEXT = 200
"""Clusters of the next street, for potential-aware features."""


@dataclass(frozen=True)
class Making:
    """An abstraction that is to be made.

    Attributes
    ----------
    problem : Problem
        Of the game.
    recall : {"imperfect", "perfect"}
    streets : tuple of Wanted
        What is asked of each street.
    seed, threads : int
    """

    problem: Problem
    recall: Recall
    streets: tuple[Wanted, ...]
    seed: int
    threads: int

    @staticmethod
    def of(problem: Problem, text: str, recall: Recall, seed: int, threads: int) -> "Making":
        """Return what is asked of a game's streets.

        Raises
        ------
        ValueError
            If the game is no poker game, it has a starting board, ranges or locks, an argument cannot be,
            features are asked for of a game that is not hold'em, or values of one that lists flops or
            does not fit into memory.
        """
        check_word("recall", recall, RECALLS)
        check_integer("seed", seed, 0)
        check_kind("threads", threads, Integral, "an integer")
        check_threads(threads)
        game = problem.poker(OF_POKER)
        rounds = rounds_of(game)
        check_game(game, game.deck, rounds)
        streets = wanted_streets(text, game.deck, rounds, recall)
        if any(one.kind != LOSSLESS for one in streets) and (game.ranking, game.hole_cards) != ("holdem", 2):
            raise BadInputError(f"features are of hold'em hands of two cards, {game.name} has others")
        making = Making(problem, recall, streets, seed, threads)
        for street, one in enumerate(streets):
            if one.kind == WEVA:
                check_walkable(problem, street, making.indices[street])
        return making

    @property
    def game(self) -> PokerGame:
        """The rules."""
        return self.problem.poker(OF_POKER)

    @property
    def text(self) -> str:
        """What is asked of the streets that are not lossless, in order; whoever asks so gets the same."""
        named = (f"{one.name}:{one.count}:{one.kind}" for one in self.streets if one.kind != LOSSLESS)
        return ",".join(named) or LOSSLESS

    @property
    def rounds(self) -> tuple[int, ...]:
        """Hole cards, then the board cards of each street."""
        return rounds_of(self.game)

    @property
    def n_last(self) -> int:
        """Number of cards of a last board."""
        return sum(self.rounds[1:])

    @cached_property
    def indices(self) -> tuple[HandIndex, ...]:
        """How the deals of each street are numbered."""
        return tuple(HandIndex(self.game.deck, one) for one in street_rounds(self.rounds, self.recall))

    def kept(self, out: Path, street: int) -> KeptStreet:
        """Return where a street is kept until the output is written."""
        return KeptStreet.of(out, self._settings(street), self.indices[street].size)

    def buckets(self, street: int, above: StreetBuckets | None, report: Report) -> StreetBuckets:
        """Return the buckets of a street; ``above`` are those of the street before."""
        wanted = self.streets[street]
        if wanted.kind == LOSSLESS:
            return StreetBuckets(LOSSLESS, wanted.count, None, None)
        source, search = self._source(street, report)
        deals = self.deals(street, source, above, report)
        return street_buckets(deals, wanted.kind, wanted.count, (self.seed, street), search)

    def next_deals(self, street: int, source: Source, report: Report = quiet) -> StreetDeals:
        """Return the deals of the street after one, boards as sets, for potential-aware features."""
        dealt = sum(self.rounds[1 : street + 2])
        return StreetDeals(
            name=f"{self.streets[street].name}, clusters of the {self.streets[street + 1].name}",
            source=source,
            index=HandIndex(self.game.deck, (2, dealt)),
            boards=HandIndex(self.game.deck, (dealt,)),
            above=None,
            threads=self.threads,
            report=report,
        )

    def next_kind(self, street: int) -> str:
        """Return the features by which the street after one is clustered."""
        return "ochs" if street + 2 == len(self.streets) else "hist"

    def _source(self, street: int, report: Report) -> tuple[Source, Search]:
        """Return the features of a street and how centres are sought among them."""
        wanted = self.streets[street]
        if wanted.kind == WEVA:
            index = self.indices[street]
            return KnownPoints(index, expected_values(self._played, street, index, report)), USUAL_SEARCH
        if wanted.kind != EMD:
            return self._features(wanted.kind, report), USUAL_SEARCH
        kind = self.next_kind(street)
        deals = self.next_deals(street, self._features(kind, report), report)
        found = clustered(deals, NEXT, (self.seed, street, 2), USUAL_SEARCH)
        ground = Ground.of(found.centres, absolute=KINDS[kind].cumulative)
        source = NextClusters(deals.index, found.table.astype(np.uint16), ground, self.rounds[street + 1])
        return source, SHORT_SEARCH

    @cached_property
    def _played(self) -> FactoredStrategy:
        return warmed_up(self.problem, self.threads)

    def _features(self, kind: str, report: Report) -> Features:
        return Features.of(self.game.deck, self.n_last, kind, self.seed, self.threads, report)

    def deals(
        self, street: int, source: Source, above: StreetBuckets | None, report: Report = quiet
    ) -> StreetDeals:
        """Return the deals of a street with features of them; ``above`` as for :meth:`buckets`."""
        index = self.indices[street]
        nested = self.recall == "perfect" and street > 0
        return StreetDeals(
            name=self.streets[street].name,
            source=source,
            index=index,
            boards=HandIndex(self.game.deck, index.rounds[1:]) if street else None,
            above=Above(self.indices[street - 1], above) if nested and above is not None else None,
            threads=self.threads,
            report=report,
        )

    def _settings(self, street: int) -> dict[str, Any]:
        """Return what decides the buckets of a street, as JSON has it."""
        deck, wanted = self.game.deck, self.streets[street]
        nested = self.recall == "perfect" and street > 0
        return {
            "version": VERSION,
            "ranks": deck.ranks,
            "suits": deck.suits,
            "rounds": [*self.rounds],
            "recall": self.recall,
            "seed": self.seed,
            "street": wanted.name,
            "kind": wanted.kind,
            "count": wanted.count,
            **({"rules": rules_of(self.game)} if wanted.kind == WEVA else {}),
            "above": digest_of(self._settings(street - 1), {}) if nested else None,
        }
