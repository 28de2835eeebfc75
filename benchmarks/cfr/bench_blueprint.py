"""Blueprints of whole no-limit hold'em: traversals a CPU-second, and the time of 1e8 of them.

The menu is pot and all-in, three raises a street, stacks of 100 big blinds; 169, 2,000, 2,000 and 1,000
buckets. These are drawn at random, which takes the longest to look up, and leaves play that is no poker.
"""

import time
from dataclasses import replace

import numpy as np

from benchmarks.measure import Case, main
from treeplex.cfr.bucket_sampling.bucket_sampler import BlueprintCFR, prepare
from treeplex.cfr.bucket_sampling.sampler_config import BlueprintConfig, PluribusPruning
from treeplex.cfr.engine import iterate
from treeplex.games.buckets.card_abstraction import CardAbstraction, StreetBuckets, street_rounds
from treeplex.games.cards.hand_index import HandIndex
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.game import PokerGame
from treeplex.seqform.certify.local_response import local_best_response

SPEC = 'no_limit_holdem(stack=10000, bets="1,a", raises="1,a", max_raises=3)'
ROUNDS, COUNTS = (2, 3, 1, 1), (2000, 2000, 1000)
TRAVERSALS, WHOLE = 2_000_000, 10**8
PLAIN = BlueprintConfig(seed=1)


def engine_of(config: BlueprintConfig, workers: int) -> BlueprintCFR:
    game = load_game(SPEC)
    assert isinstance(game, PokerGame)
    rng, streets = np.random.default_rng(1), [StreetBuckets("lossless", 169, None, None)]
    for count, rounds in zip(COUNTS, street_rounds(ROUNDS, "imperfect")[1:], strict=True):
        table = rng.integers(0, count, HandIndex(game.deck, rounds).size, dtype=np.uint16)
        streets.append(StreetBuckets("equity", count, table, None))
    abstraction = CardAbstraction(game.deck, ROUNDS, "imperfect", tuple(streets), 1, "random")
    return prepare(game, abstraction, config, workers)


def prepared(config: BlueprintConfig, workers: int) -> object:
    engine = engine_of(config, workers)
    return engine, iterate(engine, 200_000)


def traversed(given: object) -> str:
    assert isinstance(given, tuple)
    engine, state = given
    cpu, wall = time.process_time(), time.perf_counter()
    state = iterate(engine, TRAVERSALS, state)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    minutes = [seconds / TRAVERSALS * WHOLE / 60 for seconds in (cpu, wall)]
    pace = f"{TRAVERSALS / cpu:,.0f} traversals a CPU-second"
    whole = f"1e8 in {minutes[0]:.1f} CPU-minutes, {minutes[1]:.1f} minutes wall"
    visited = f"{state.visited / state.iterations:.1f} decisions a traversal"
    return f"{pace}, {whole}; {visited}, {state.n_bytes / 2**20:,.0f} MiB"


def bounded(given: object) -> str:
    assert isinstance(given, tuple)
    engine, state = given
    return local_best_response(engine.layout.game, engine.strategy(state), hands=200, seed=1).brief()


def case(name: str, config: BlueprintConfig, workers: int) -> Case:
    return Case(name, "21,000 a core and second", lambda: prepared(config, workers), traversed)


CASES = [
    case("one worker", PLAIN, 1),
    case("two workers", PLAIN, 2),
    case("snapshots", replace(PLAIN, average="snapshots"), 1),
    case("pruned as Pluribus", replace(PLAIN, pruning=PluribusPruning(-20.0, -21.0)), 1),
    Case("local best response, 400 hands", "-", lambda: prepared(PLAIN, 1), bounded),
]

if __name__ == "__main__":
    main("benchmarks.cfr.bench_blueprint", CASES)
