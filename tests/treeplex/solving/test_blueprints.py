"""Blueprint files judged: exactly where boards fit into memory, else by a local best response, so named."""

import json

import pytest

import treeplex as tp
from tests.helpers.abstractions import drawn_abstraction
from tests.helpers.archive_members import members_of, told, zipped
from treeplex.cfr.bucket_sampling.bucket_sampler import prepare
from treeplex.cfr.bucket_sampling.sampler_config import BlueprintConfig
from treeplex.cfr.engine import iterate
from treeplex.cli.main import run
from treeplex.core.loading import load
from treeplex.files.abstraction_file import write_abstraction
from treeplex.games.formats.specs import load_game
from treeplex.games.poker.named import leduc_poker
from treeplex.seqform.certify.local_response import local_best_response
from treeplex.solving import on_boards

SPEC = "leduc_poker(suits_visible=true)"
GAME = leduc_poker(suits_visible=True)
ABSTRACTION = drawn_abstraction(GAME, (None, 4))
CONFIG = BlueprintConfig(batch=10, period=50, clusters=2)
HANDS = 40


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with an abstraction, a blueprint in it and one by the door."""
    folder = tmp_path_factory.mktemp("blueprints")
    write_abstraction(folder / "buckets.npz", ABSTRACTION)
    engine = prepare(GAME, ABSTRACTION, CONFIG)
    tp.write(engine.strategy(iterate(engine, 2000)), folder / "blueprint.npz")
    return folder


@pytest.fixture
def too_large(monkeypatch):
    """Let no strategy fit on boards, and few hands be played."""
    monkeypatch.setattr(on_boards, "EXPANDED_BYTES", 10**15)
    monkeypatch.setattr(on_boards, "BOUND_HANDS", HANDS)


def check(folder, *options, capsys=None):
    """Run the command; return the exit code, what was printed and what was complained of."""
    code = run(["check", SPEC, str(folder / "blueprint.npz"), *options])
    return code, *capsys.readouterr()


def abstraction(folder):
    return "--abstraction", str(folder / "buckets.npz")


def test_what_fits_is_certified_as_the_run_that_made_it_was(folder, capsys):
    given = {"iterations": 2000, "clusters": 2, "batch": 10, "period": 50}
    solved = tp.solve(SPEC, "mccfr-external", abstraction=folder / "buckets.npz", **given)
    found = tp.check(SPEC, folder / "blueprint.npz", abstraction=ABSTRACTION)
    assert (found.method, found.form, found.status) == ("file", "boards", "certified")
    assert (found.nash_conv, found.lower, found.upper) == (solved.nash_conv, solved.lower, solved.upper)
    assert found.fact(tp.LowerBounds) is None
    code, out, _ = check(folder, *abstraction(folder), "--json", "--target", "1e-9", capsys=capsys)
    assert (code, json.loads(out)["nash_conv"]) == (1, solved.nash_conv)


def test_buckets_of_a_longer_game_go_with_blueprints_in_them(tmp_path):
    flop, turn = (load_game(f"{name}_holdem(ranks=4,suits=2)") for name in ("flop", "turn"))
    longer = drawn_abstraction(turn, (None, 12, 9))
    engine, file = prepare(flop, longer, CONFIG), tmp_path / "blueprint.npz"
    assert engine.config == prepare(flop, longer.of_game(flop), CONFIG).config
    blueprint = engine.strategy(iterate(engine, 20))
    tp.write(blueprint, file)
    problem = load(flop)  # whose boards are made ready once
    found = tp.check(problem, file, abstraction=longer)
    assert found.nash_conv == tp.check(problem, blueprint, abstraction=longer).nash_conv
    for played in (file, blueprint):
        with pytest.raises(ValueError, match="of another card abstraction"):
            tp.check(problem, played, abstraction=drawn_abstraction(turn, (None, 11, 9)))


@pytest.mark.usefixtures("too_large")
def test_what_does_not_fit_has_lower_bounds_so_named(folder, capsys):
    code, out, _ = check(folder, *abstraction(folder), "--json", capsys=capsys)
    said = json.loads(out)
    assert code == 0
    assert (said["nash_conv"], said["value"], said["certified"]) == (None, None, False)
    assert said["lower_bounds"]["method"] == "local best response"
    strategy = tp.check(SPEC, folder / "blueprint.npz", abstraction=ABSTRACTION).strategy
    expected = local_best_response(GAME, strategy, hands=HANDS, seed=0).as_json()["lower_bounds"]
    assert said["lower_bounds"] == expected
    assert tp.check(SPEC, strategy).fact(tp.LowerBounds).as_json() == {"lower_bounds": expected}
    code, out, _ = check(folder, *abstraction(folder), "--target", "50", capsys=capsys)
    text = " ".join(out.split())
    assert code == 1
    assert "nothing: best responses would not fit into memory" in text
    assert "target 50: not proved" in text


def refused(folder, says, *options, capsys):
    code, out, complaint = check(folder, *options, capsys=capsys)
    assert (code, out, complaint.count("\n")) == (2, "", 1)
    assert says in complaint


def test_what_does_not_go_together_is_refused_in_one_line(folder, capsys, tmp_path):
    here = abstraction(folder)
    identity = ABSTRACTION.identity[:12]
    refused(folder, f"is a blueprint in the card abstraction '{identity}'", capsys=capsys)
    refused(folder, "exact certificates are for tables, got a blueprint", *here, "--exact", capsys=capsys)
    refused(folder, "got uniform with a blueprint", *here, "--missing", "uniform", capsys=capsys)
    refused(folder, "losses and repairs are of tables", *here, "--where", capsys=capsys)
    write_abstraction(tmp_path / "other.npz", drawn_abstraction(GAME, (None, 4), seed=1))
    other = "--abstraction", str(tmp_path / "other.npz")
    refused(folder, "is of another card abstraction", *other, capsys=capsys)
    refused(folder, "is no card abstraction", "--abstraction", str(folder / "blueprint.npz"), capsys=capsys)


def test_damaged_and_foreign_files_are_refused_in_one_line(folder, capsys, tmp_path):
    content = (folder / "blueprint.npz").read_bytes()
    (tmp_path / "buckets.npz").write_bytes((folder / "buckets.npz").read_bytes())
    here, path = abstraction(tmp_path), tmp_path / "blueprint.npz"
    for spoilt, says in (
        (content[: len(content) // 2], "is no blueprint"),
        (zipped(told(members_of(content), digest="0")), "is damaged: its digest"),
        (zipped(told(members_of(content), rules="0")), "or of other rules than"),
        (b"player,infoset,action,probability\n", "is no blueprint"),
    ):
        path.write_bytes(spoilt)
        refused(tmp_path, says, *here, capsys=capsys)
    tp.write(tp.solve("leduc_poker", "cfr", form="boards", iterations=1), path)
    refused(tmp_path, "nothing else is read with an abstraction", *here, capsys=capsys)


def test_in_python_too(folder):
    blueprint = tp.check(SPEC, folder / "blueprint.npz", abstraction=folder / "buckets.npz")
    with pytest.raises(ValueError, match="an abstraction is for the file of a blueprint, got a dict"):
        tp.check(SPEC, {}, abstraction=ABSTRACTION)
    with pytest.raises(ValueError, match="a card abstraction is of a poker game, got coin_toss"):
        tp.check("coin_toss", folder / "blueprint.npz", abstraction=ABSTRACTION)
    with pytest.raises(TypeError, match="abstraction must be a card abstraction or a path, got 3"):
        tp.check(SPEC, folder / "blueprint.npz", abstraction=3)
    assert blueprint.certificate is not None


@pytest.mark.usefixtures("too_large")
def test_a_blueprint_of_another_game_is_refused(folder):
    blueprint = tp.check(SPEC, folder / "blueprint.npz", abstraction=ABSTRACTION).strategy
    with pytest.raises(ValueError, match="the blueprint is of another game, leduc_poker"):
        tp.check("kuhn_poker", blueprint)
    with pytest.raises(ValueError, match="the blueprint is of another card abstraction"):
        tp.check(SPEC, blueprint, abstraction=drawn_abstraction(GAME, (None, 4), seed=1))
