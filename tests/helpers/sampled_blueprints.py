"""Small sampled blueprints with abstractions drawn at random, as files."""

import treeplex as tp
from tests.helpers.abstractions import drawn_abstraction
from treeplex.cfr.bucket_sampling.bucket_sampler import prepare
from treeplex.cfr.bucket_sampling.sampler_config import BlueprintConfig
from treeplex.cfr.engine import iterate
from treeplex.files.abstraction_file import write_abstraction


def written_blueprint(folder, spec, counts):
    """Write a blueprint of a game, 200 batches of 10 traversals, and its abstraction; return both paths."""
    game = tp.load(spec).game
    buckets = drawn_abstraction(game, counts)
    write_abstraction(folder / "buckets.npz", buckets)
    engine = prepare(game, buckets, BlueprintConfig(batch=10, period=50, clusters=2))
    tp.write(engine.strategy(iterate(engine, 200)), folder / "b.npz")
    return folder / "b.npz", folder / "buckets.npz"
