"""Checkpoints of blueprints: compressed tables, read back to the bit, refused where altered."""

from dataclasses import fields, replace

import numpy as np
import pytest

from tests.helpers.archive_members import changed, members_of, zipped
from tests.helpers.cells import each
from treeplex.cfr.bucket_sampling.bucket_sampler import prepare
from treeplex.cfr.bucket_sampling.sampler_config import BlueprintConfig
from treeplex.cfr.engine import iterate
from treeplex.cfr.sequences import full_width
from treeplex.cfr.variant import VARIANTS
from treeplex.files.checkpoint import Position, identity_of, read_checkpoint, write_checkpoint
from treeplex.files.state_arrays import is_compressed
from treeplex.games.buckets.perfect_recall import lossless
from treeplex.games.poker.named import leduc_poker
from treeplex.seqform.forms.public_form import sequence_form
from treeplex.seqform.trees.public_tree import compile_public

GAME = leduc_poker()


@pytest.fixture(params=["counts", "snapshots"])
def run(request, tmp_path):
    """Return an engine, a state within a batch, its file and the run's identity."""
    config = BlueprintConfig(batch=10, period=20, average=request.param)
    engine = prepare(GAME, lossless(GAME), config)
    state = iterate(engine, 125)
    path = tmp_path / "run.npz"
    identity = identity_of(GAME, "mccfr-external", "buckets", config)
    write_checkpoint(path, identity, Position(state, (), 1.0))
    return engine, state, path, identity


def test_a_run_goes_on_from_its_file_to_the_same_bits(run):
    engine, state, path, identity = run
    found = read_checkpoint(path, identity, engine.start(), engine.check).state
    one, other = engine.advance(found, 100), engine.advance(state, 100)
    for field in fields(one):
        np.testing.assert_array_equal(getattr(one, field.name), getattr(other, field.name))
    assert path.stat().st_size < state.n_bytes / 3


def test_other_configs_are_other_runs(run):
    engine, _, path, _ = run
    other = replace(engine.config, batch=5)
    identity = identity_of(GAME, "mccfr-external", "buckets", other)
    with pytest.raises(ValueError, match="is of another run: its parameters batch=10, got batch=5"):
        read_checkpoint(path, identity, engine.start(), engine.check)


def test_altered_tables_are_refused(run):
    engine, _, path, identity = run
    content = path.read_bytes()

    def refused(says, altered):
        path.write_bytes(altered)
        with pytest.raises(ValueError, match=rf"run\.npz {says}"):
            read_checkpoint(path, identity, engine.start(), engine.check)

    for place in (len(content) // 3, len(content) // 2):
        altered = content[:place] + bytes([content[place] ^ 64]) + content[place + 1 :]
        refused("(is damaged|is no checkpoint)", altered)
    refused("(is damaged|is no checkpoint)", content[:-40])
    names = ["regret.blocks", "regret.index", "total.blocks", "gain"]
    each(names, lambda name: refused("is damaged: ", zipped(changed(members_of(content), name, _one_bit))))


def _one_bit(array):
    """Change a bit in the middle of an array."""
    flat = array.reshape(-1)
    flat[len(flat) // 2] ^= 1


def test_blueprints_are_the_states_that_are_compressed(run):
    engine, _, _, _ = run
    assert is_compressed(engine.start())
    assert not is_compressed(
        full_width.prepare(sequence_form(compile_public(GAME)), VARIANTS["cfr+"]).start()
    )
