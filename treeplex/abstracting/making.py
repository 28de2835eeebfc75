"""An abstraction that is to be made: what is asked of each street, and how it comes about."""

from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np

from treeplex.abstracting.bucketing import SHORT_SEARCH, USUAL_SEARCH, Search, clustered, street_buckets
from treeplex.abstracting.kept import KeptStreet
from treeplex.abstracting.street_deals import Above, Source, StreetDeals
from treeplex.abstracting.wanted import EMD, WEVA, Wanted, wanted_streets
from treeplex.abstracting.warm_up import check_walkable, expected_values, warmed_up
from treeplex.cfr.factored.factored_cfr import check_threads
from treeplex.core.problem import Problem
from treeplex.games.abstraction.card_abstraction import RECALLS, Recall, street_rounds
from treeplex.games.abstraction.game_cards import check_game, rounds_of
from treeplex.games.abstraction.street_buckets import LOSSLESS, StreetBuckets
from treeplex.games.clusters.atoms import Ground
from treeplex.games.features.features import Features
from treeplex.games.features.kinds import KINDS
from treeplex.games.features.known_points import KnownPoints
from treeplex.games.features.next_clusters import NextClusters
from treeplex.games.indexing.hand_index import HandIndex
from treeplex.games.inputs.digests import digest_of
from treeplex.games.inputs.parameters import check_integer, check_kind, check_word
from treeplex.games.inputs.reading import shown
from treeplex.games.poker.game import PokerGame
from treeplex.games.reporting import Report, quiet
from treeplex.seqform.factored.strategy import FactoredStrategy
from treeplex.store.boards_file import rules_of

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
        game = _poker(problem)
        rounds = rounds_of(game)
        check_game(game, game.deck, rounds)
        streets = wanted_streets(text, game.deck, rounds, recall)
        if any(one.kind != LOSSLESS for one in streets) and (game.ranking, game.hole_cards) != ("holdem", 2):
            raise ValueError(f"features are of hold'em hands of two cards, {game.name} has others")
        making = Making(problem, recall, streets, seed, threads)
        for street, one in enumerate(streets):
            if one.kind == WEVA:
                check_walkable(problem, street, making.indices[street])
        return making

    @property
    def game(self) -> PokerGame:
        """The rules."""
        return _poker(self.problem)

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
        return KeptStreet(out, self.streets[street].name, self._settings(street))

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


def _poker(problem: Problem) -> PokerGame:
    """Return the rules of a poker game; raises ``ValueError`` for another."""
    if not isinstance(problem.game, PokerGame):
        raise ValueError(f"abstractions are of poker games, got {shown(problem.game.name)}")
    return problem.game
