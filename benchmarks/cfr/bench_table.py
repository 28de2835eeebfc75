"""Sampled regret minimisation without enumeration: iterations and leaves a CPU-second, and what is kept.

An iteration is a traversal for each player; its leaves are the histories that it comes to the end of.
"""

import time

import numpy as np

from benchmarks.measure import Case, main
from treeplex.cfr.engine import iterate
from treeplex.cfr.sampling import poker_sampling
from treeplex.cfr.sampling import table_sampling as table
from treeplex.cfr.sampling.poker_deals import empty_deal, shuffle, write_observations
from treeplex.cfr.sampling.poker_infosets import SHOWDOWN, PokerLayout, line_needs
from treeplex.cfr.sampling.poker_kernels import ENTRY, PLACE, PlayOut, grow
from treeplex.cfr.sampling.poker_sampling import PokerTableState
from treeplex.cfr.sampling.sampling_config import Sampling, Scheme
from treeplex.cfr.sampling.table_sampling import profile_of
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.forms.sequence_form import SequenceForm
from treeplex.seqform.trees.public_tree import compile_public

SEED = 1
TRAVERSALS = 400


def leaves(layout: PokerLayout, state: PokerTableState) -> float:
    """Return how many leaves an iteration of external sampling comes to, going on from a state."""
    count = 0
    lines, deal = layout.lines.nodes, empty_deal(layout.cards)
    needs = [line_needs(lines, p) for p in (0, 1)]
    counts = np.array([state.drawn, state.n_infosets, len(state.entries)])
    entries = np.zeros(len(state.entries) + TRAVERSALS * sum(n[1] for n in needs), dtype=ENTRY)
    entries[: len(state.entries)] = state.entries
    room = np.zeros(max(n[2] for n in needs), dtype=PLACE)
    play = PlayOut(lines, state.slots.copy(), entries, room, counts, layout.shift, np.uint64(SEED))
    for k in range(TRAVERSALS):
        shuffle(layout.cards, deal, play.stream, counts)
        write_observations(layout.cards, deal)
        places = grow(play, deal.codes, k % 2, 1.0, 1)
        count += int((lines["kind"][room["line"][:places]] >= SHOWDOWN).sum())
    return 2 * count / TRAVERSALS


def prepared(spec: str, scheme: Scheme) -> tuple[PokerGame, Scheme]:
    game = load_game(spec)
    assert isinstance(game, PokerGame)
    iterate(poker_sampling.prepare(game, Sampling(scheme, seed=SEED)), 10)
    return game, scheme


def compiled(given: object, stops: tuple[int, ...], certified: bool) -> str:
    assert isinstance(given, tuple)
    (game, scheme), state, done, cpu, found = given, None, 0, 0.0, []
    engine = poker_sampling.prepare(game, Sampling(scheme, seed=SEED), 1 << 25)
    form: SequenceForm | None = sequence_form(compile_public(game)) if certified else None
    for stop in stops:
        begun = time.process_time()
        state, done = iterate(engine, stop - done, state), stop
        cpu += time.process_time() - begun
        width = ""
        if form is not None:
            profile = profile_of(engine.strategy(state), form)
            width = f"NashConv {certify(form, profile).nash_conv:.2e}, "
        found.append(f"{width}{state.n_infosets:,} infosets, {state.n_bytes / 2**20:,.1f} MiB after {stop:,}")
    assert state is not None
    pace = f"{done / cpu:,.0f} iterations"
    if scheme == "external":
        pace += f" and {leaves(engine.layout, state) * done / cpu:,.0f} leaves"
    return f"{pace} a CPU-second; {'; '.join(found)}"


def by_rules(given: object) -> str:
    assert isinstance(given, tuple)
    begun = time.process_time()
    iterate(table.prepare(given[0], Sampling(given[1], seed=SEED)), 2000)
    return f"{2000 / (time.process_time() - begun):,.0f} iterations a CPU-second by the rules, uncompiled"


def case(
    spec: str, scheme: Scheme, stops: tuple[int, ...], certified: bool = True, target: str = "none"
) -> Case:
    return Case(
        f"{spec} {scheme}",
        target,
        lambda: prepared(spec, scheme),
        lambda given: compiled(given, stops, certified),
    )


MANY = (100_000, 300_000, 2_000_000)
CASES = [
    case("kuhn_poker", "external", MANY),
    case("leduc_poker", "external", MANY, target="NashConv below 5e-2 after 300,000"),
    case("leduc_poker", "outcome", MANY),
    case("small_holdem", "external", MANY),
    case("examples/river.toml", "external", MANY),
    case("rhode_island", "external", (10_000, 100_000), certified=False),
    case("limit_holdem", "external", (1_000, 10_000, 50_000), certified=False),
    case("limit_holdem", "outcome", (10_000, 100_000, 1_000_000), certified=False),
    Case("leduc_poker by its rules", "none", lambda: prepared("leduc_poker", "external"), by_rules),
]

if __name__ == "__main__":
    main("benchmarks.cfr.bench_table", CASES)
