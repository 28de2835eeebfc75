"""Blueprints as files: read back as they were, refused where altered or of something else."""

import numpy as np
import pytest

import treeplex as tp
from tests.helpers.abstractions import drawn_abstraction
from tests.helpers.archive_members import changed, members_of, told, zipped
from tests.helpers.cells import over
from treeplex.cfr.bucket_sampling.bucket_sampler import prepare
from treeplex.cfr.bucket_sampling.sampler_config import BlueprintConfig
from treeplex.cfr.engine import iterate
from treeplex.files.board_files import read_blueprint, write_blueprint
from treeplex.games.poker.named import flop_holdem, leduc_poker

GAME = leduc_poker(suits_visible=True)
ABSTRACTION = drawn_abstraction(GAME, (None, 4))


@pytest.fixture(params=["counts", "snapshots"])
def written(request, tmp_path):
    """Return a strategy and the path of its file."""
    config = BlueprintConfig(batch=10, period=50, clusters=5, average=request.param)
    engine = prepare(GAME, ABSTRACTION, config)
    strategy = engine.strategy(iterate(engine, 500))
    path = tmp_path / "blueprint.npz"
    tp.write(strategy, path)
    return strategy, path


def test_a_strategy_comes_back(written):
    strategy, path = written
    found = read_blueprint(path, GAME, ABSTRACTION)
    assert found.total.dtype == strategy.total.dtype
    np.testing.assert_array_equal(found.total, strategy.total)
    hand = "Ks|Qh:cc/"
    assert found.action_probabilities(0, hand) == strategy.action_probabilities(0, hand)
    assert sum(found.action_probabilities(0, hand).values()) == pytest.approx(1)
    assert "3 / 4 buckets x 3 clusters" in found.brief()


def test_what_is_of_something_else_is_refused(written):
    _, path = written
    with pytest.raises(ValueError, match="is of another card abstraction"):
        read_blueprint(path, GAME, drawn_abstraction(GAME, (None, 4), seed=1))
    other = flop_holdem(4, 2, (1, 1))
    with pytest.raises(ValueError, match="is of another game, 'leduc_poker"):
        read_blueprint(path, other, drawn_abstraction(other, (None, 4)))
    tp.write(tp.solve("kuhn_poker", "cfr", form="boards", iterations=1), path)
    with pytest.raises(ValueError, match="is no blueprint that treeplex wrote"):
        read_blueprint(path, GAME, ABSTRACTION)


@over(
    [
        lambda m: changed(m, "blocks", lambda a: a.__setitem__(len(a) // 2, a[len(a) // 2] ^ 1)),
        lambda m: changed(m, "index", lambda a: a.__setitem__((0, 1), 7)),
        lambda m: told(m, clusters=2),
        lambda m: told(m, clusters="many"),
        lambda m: told(m, dtype="float64"),
        lambda m: told(m, dtype=["int32"]),
        lambda m: told(m, digest="0"),
        lambda m: [one for one in m if one[0] != "index.npy"],
    ]
)
def test_altered_files_are_refused(spoil, written):
    _, path = written
    content = path.read_bytes()
    path.write_bytes(zipped(spoil(members_of(content))))
    with pytest.raises(ValueError, match=r"blueprint\.npz is damaged: "):
        read_blueprint(path, GAME, ABSTRACTION)
    path.write_bytes(content)


def test_files_cut_off_are_refused(written):
    _, path = written
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ValueError, match=r"blueprint\.npz is (damaged|no blueprint)"):
        read_blueprint(path, GAME, ABSTRACTION)


def test_infosets_are_found_by_their_keys(written):
    strategy, path = written
    for player, key in ((1, "Ks|Qh:cc/"), (0, "Ks|Ks:cc/"), (0, "Ks|Qh:zz"), (0, "nonsense"), (0, "Ks|:cc/")):
        with pytest.raises(ValueError, match=r"no infoset|must be|not in the deck|betting line|board"):
            strategy.action_probabilities(player, key)
    with pytest.raises(ValueError, match=r"too many for a table"):
        tp.write(strategy, path.with_suffix(".csv"))


def test_writing_is_whole_or_not_at_all(written, tmp_path):
    strategy, _ = written
    with pytest.raises(ValueError, match="cannot"):
        write_blueprint(strategy, tmp_path / "absent" / "blueprint.npz")
