"""Extensive-form files that are written: they come back the same, and Gambit and OpenSpiel take them."""

import io
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.forms import numbered
from tests.helpers.paths import ROOT
from treeplex.cli.main import run
from treeplex.games.base.errors import BadInputError
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.counting.references import LEDUC
from treeplex.games.formats.efg import parse_efg, read_efg
from treeplex.games.formats.specs import load_game
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.trees.efg_writer import efg_text
from treeplex.seqform.trees.game_tree import GameTree, build_tree
from treeplex.subgames.resolve import resolve

EXAMPLE = ROOT / "examples" / "night_crossing.efg"
SHARED = ["kuhn_poker", "leduc_poker", "coin_toss", "liars_dice(faces=3)", "goofspiel(cards=3)"]
"""Games that all three programs take."""
ZOO = [
    *SHARED,
    "coin_toss(subgames=2)",
    "coin_toss(heads=1/3,tails=-22/7)",
    "dummy_pennies(mover=0)",
    "matrix_game(payoff=[[1/3,-2],[0,5]])",
    "random_game(seed=3,depth=0)",
]


def zoo_tree(spec: str) -> GameTree:
    return build_tree(load_game(spec))


def again(tree: GameTree, constant: Fraction = Fraction(0)) -> GameTree:
    """Write a tree and read it; what is read must be written the same once more."""
    text = efg_text(tree, constant)
    game = parse_efg(text, tree.name)
    assert game.constant == constant
    read = build_tree(game)
    assert efg_text(read, constant) == text
    return read


def acting_keys(tree: GameTree) -> list[tuple[int, str]]:
    return [
        (p, tree.keys[p][tree.infoset[n, p]]) if p >= 0 else (p, "")
        for n, p in enumerate(tree.player.tolist())
    ]


def assert_same(one: GameTree, two: GameTree) -> None:
    for name in ("parent", "player", "action", "chance", "payoff"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    assert (one.chance_den, one.payoff_den, one.outcomes) == (two.chance_den, two.payoff_den, two.outcomes)
    assert acting_keys(one) == acting_keys(two)
    for tree in (one, two):
        labels = [dict(zip(tree.keys[p], tree.labels[p], strict=True)) for p in (0, 1)]
        assert all(labels[p][key] for p, key in acting_keys(tree) if p >= 0)
    assert [lines(one, p) for p in (0, 1)] == [lines(two, p) for p in (0, 1)]


def lines(tree: GameTree, player: int) -> dict[str, tuple[str, ...]]:
    """The actions of each infoset in which a player acts."""
    return {key: names for key, names in zip(tree.keys[player], tree.labels[player], strict=True) if names}


def uniform(tree: GameTree) -> Profile:
    form = number_tree(tree).form
    return Profile(form.treeplexes, (form.treeplexes[0].uniform(), form.treeplexes[1].uniform()))


class TestRoundTrip:
    @over(ZOO)
    def test_zoo(self, spec: str) -> None:
        tree = zoo_tree(spec)
        assert_same(tree, again(tree))

    @given(seed=st.integers(0, 10**6), depth=st.integers(0, 7), constant=st.fractions())
    def test_random_games(self, seed: int, depth: int, constant: Fraction) -> None:
        tree = build_tree(random_game(seed, depth))
        read = again(tree, constant)
        assert_same(tree, read)
        forms = [number_tree(t).form for t in (tree, read)]
        assert forms[0].treeplexes[0].infosets == forms[1].treeplexes[0].infosets
        np.testing.assert_array_equal(forms[0].treeplexes[1].parent, forms[1].treeplexes[1].parent)

    @pytest.mark.seconds(3)
    @settings(max_examples=20)
    @given(st.lists(st.text(min_size=1), min_size=5, max_size=5, unique=True), st.text())
    def test_any_label(self, labels: list[str], title: str) -> None:
        labels = [label.replace("\r", "\n") for label in labels]  # as text files do
        labels = [f"{label}{n}" if labels.count(label) > 1 else label for n, label in enumerate(labels)]
        tree = zoo_tree("coin_toss")
        key = labels.index(min(labels))
        keys = tuple(labels[key] if k == "?:Play" else k for k in tree.keys[1])
        actions = tuple(tuple(labels[:3]) if row else () for row in tree.labels[1])
        odd = replace(
            tree,
            name=title,
            keys=(tree.keys[0], keys),
            labels=(tree.labels[0], actions),
            outcomes={0: (labels[3], labels[4])},
        )
        assert_same(odd, again(odd))

    def test_the_example(self) -> None:
        game = read_efg(EXAMPLE)
        tree = build_tree(game)
        assert_same(tree, again(tree, game.constant))

    def test_exports_keep_the_constant(self, tmp_path: Path) -> None:
        tp.export(str(EXAMPLE), tmp_path / "again.efg")
        again = read_efg(tmp_path / "again.efg")
        assert (again.constant, again.note) == (12, read_efg(EXAMPLE).note)

    def test_text(self) -> None:
        assert efg_text(zoo_tree("coin_toss"), Fraction(1, 3)).splitlines()[:6] == [
            'EFG 2 R "coin_toss" { "Player 1" "Player 2" }',
            'c "" 1 "" { "Heads" 1/2 "Tails" 1/2 } 0',
            'p "" 1 1 "Heads:" { "Sell" "Play" } 0',
            't "" 1 "1/2" { 1/2, -1/6 }',
            'p "" 2 1 "?:Play" { "Heads" "Tails" "Forfeit" } 0',
            't "" 2 "-1" { -1, 4/3 }',
        ]


class TestSolved:
    """A file is a game like any other: solved, judged, cut."""

    @over(
        [
            ("kuhn_poker", Fraction(-1, 18)),
            ("dummy_pennies", Fraction(0)),
            ("dummy_pennies(mover=0)", Fraction(0)),
            ("coin_toss(heads=1/3)", None),
            ("matrix_game(payoff=[[1/3,-2/7],[0,5]])", None),
        ]
    )
    def test_exact_values(self, spec: str, value: Fraction | None, tmp_path: Path) -> None:
        path = tmp_path / "game.efg"
        path.write_text(efg_text(zoo_tree(spec)))
        found = tp.solve(str(path), exact=True)
        assert found.nash_conv == 0
        assert found.exact_value == (tp.solve(spec, exact=True).exact_value if value is None else value)

    def test_a_third_stays_a_third(self, tmp_path: Path) -> None:
        path = tmp_path / "third.efg"
        path.write_text(
            'EFG 2 R "" { "" "" } p "" 1 1 "" { "a" "b" } 0 t "" 1 { 1/3, 2/3 } t "" 2 { 0.1, .9 }'
        )
        assert tp.solve(str(path), exact=True).exact_value == Fraction(1, 3)

    def test_the_example(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        assert tp.solve(str(EXAMPLE), exact=True).exact_value == Fraction(37, 6)
        note = "the file's payoffs add up to 12: player 1 gets 12 less what player 0 gets"
        out = tmp_path / "crossing.csv"
        for command in (["solve", str(EXAMPLE), "--out", str(out)], ["check", str(EXAMPLE), str(out)]):
            assert run(command) == 0
            assert note in " ".join(capsys.readouterr().out.split())
            assert run([*command, "--json"]) == 0
            assert json.loads(capsys.readouterr().out)["note"] == note
        assert run(["solve", "coin_toss", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["note"] is None

    @over(
        [("resolve", "nash"), ("maxmargin", "uniform"), ("reach-resolve", "uniform"), ("unsafe", "nash")],
        ["coin_toss", "coin_toss(forfeit=false,subgames=2)", "goofspiel(cards=3)"],
    )
    def test_subgames(self, method: str, blueprint: str, spec: str) -> None:
        """Public states and tops are derived from the file; what resolving does with them is the same."""
        game = load_game(spec)
        found = [
            resolve(one, 1, method=method, blueprint=blueprint)
            for one in (game, parse_efg(efg_text(build_tree(game)), "x"))
        ]
        assert len(found[0].subgames) == len(found[1].subgames)
        assert len(found[0].tops) == len(found[1].tops)
        assert found[0].exploitability_after == pytest.approx(found[1].exploitability_after, abs=1e-9)
        assert found[0].exploitability_joint == pytest.approx(found[1].exploitability_joint, abs=1e-9)
        assert found[0].min_margin == pytest.approx(found[1].min_margin, abs=1e-9)


class TestGambit:
    @over([*SHARED, "random_game(depth=6)", "coin_toss(heads=1/3)"])
    def test_it_reads_what_is_written(self, spec: str) -> None:
        pygambit = pytest.importorskip("pygambit", reason="make .venv/gambit installs it")
        tree = zoo_tree(spec)
        game = pygambit.read_efg(io.StringIO(efg_text(tree, Fraction(1, 2))))
        assert len(game.nodes) == tree.n_nodes
        assert len(game.infosets) == sum(number_tree(tree).form.n_infosets)
        assert game.is_const_sum
        assert game.is_perfect_recall
        assert_same(tree, build_tree(parse_efg(game.to_efg(), "x")))

    @over(["kuhn_poker", "coin_toss(heads=1/3)", "goofspiel(cards=3)"])
    def test_values(self, spec: str) -> None:
        pygambit = pytest.importorskip("pygambit", reason="make .venv/gambit installs it")
        game = pygambit.read_efg(io.StringIO(efg_text(zoo_tree(spec))))
        found = pygambit.nash.lp_solve(game, rational=True).equilibria[0]
        assert Fraction(str(found.payoff(next(iter(game.players))))) == tp.solve(spec, exact=True).exact_value

    def test_a_title_with_quotes(self) -> None:
        pygambit = pytest.importorskip("pygambit", reason="make .venv/gambit installs it")
        tree = replace(zoo_tree("coin_toss"), name='a "coin" \\ toss')
        assert pygambit.read_efg(io.StringIO(efg_text(tree))).title == tree.name

    def test_its_own_games(self) -> None:
        """Those of its catalogue: played here with the same value, or refused for what they are."""
        catalog = pytest.importorskip("pygambit.catalog", reason="make .venv/gambit installs it")
        pygambit = pytest.importorskip("pygambit", reason="make .venv/gambit installs it")
        solved = 0
        for name in catalog.games()["Game"]:
            game = catalog.load(name)
            if not game.is_tree:
                continue
            if len(game.players) != 2 or not game.is_const_sum:
                with pytest.raises(ValueError, match=r"needs exactly two players|payoffs must add up"):
                    parse_efg(game.to_efg(), "x")
                continue
            read = parse_efg(game.to_efg(), "x")
            if not game.is_perfect_recall:
                with pytest.raises(ValueError, match="has imperfect recall"):
                    numbered(read)
                continue
            found = pygambit.nash.lp_solve(game, rational=True).equilibria[0]
            value = Fraction(str(found.payoff(next(iter(game.players)))))
            assert tp.solve(read, exact=True).exact_value == value
            solved += 1
        assert solved


class TestOpenSpiel:
    @over(SHARED)
    def test_it_reads_what_is_written(self, spec: str) -> None:
        pyspiel = pytest.importorskip("pyspiel")
        tree = zoo_tree(spec)
        constant = Fraction(2)
        game = pyspiel.load_efg_game(efg_text(tree, constant))
        assert game.num_players() == 2
        assert game.utility_sum() == constant
        stack, counts = [game.new_initial_state()], {CHANCE: 0, TERMINAL: 0, 0: 0, 1: 0}
        while stack:
            state = stack.pop()
            counts[
                TERMINAL
                if state.is_terminal()
                else CHANCE
                if state.is_chance_node()
                else state.current_player()
            ] += 1
            stack += [state.child(action) for action in state.legal_actions()]
        assert counts == {p: int(np.sum(tree.player == p)) for p in counts}

    @over(SHARED)
    def test_values(self, spec: str) -> None:
        pyspiel = pytest.importorskip("pyspiel")
        tree = zoo_tree(spec)
        game = pyspiel.load_efg_game(efg_text(tree))
        policy = pyspiel.UniformRandomPolicy(game)
        ours = certify(number_tree(tree).form, uniform(tree))
        theirs = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
        assert theirs[0] == pytest.approx(float(ours.value), abs=1e-12)
        assert pyspiel.nash_conv(game, policy) == pytest.approx(ours.nash_conv, abs=1e-12)

    @over(
        [
            ("kuhn_poker", Fraction(-1, 18)),
            ("liars_dice(numdice=1,dice_sides=3)", Fraction(1, 9)),
            ("leduc_poker", LEDUC),
        ]
    )
    def test_its_own_writer(self, spec: str, value: Fraction) -> None:
        """It writes chance as decimals, which are read as the fractions that they stand for."""
        pyspiel = pytest.importorskip("pyspiel")
        export = pytest.importorskip("open_spiel.python.algorithms.gambit")
        read = parse_efg(export.export_gambit(pyspiel.load_game(spec)), "x")
        assert read.note.startswith("chance written as decimals was read as fractions, such as 1/")
        ours, theirs = build_tree(read), zoo_tree(f"openspiel:{spec}")
        for name in ("parent", "player", "action", "chance", "payoff"):
            np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
        assert ours.chance_den == theirs.chance_den
        assert tp.solve(read, exact=True).exact_value == value


def test_numbers_may_have_four_thousand_digits_above_and_below() -> None:
    above, below = 3**1900, 7**4100
    game = load_game(f"matrix_game(payoff=[[{above}/{below},1],[1,0]])")
    assert build_tree(parse_efg(efg_text(build_tree(game)), "x")).payoff.max() == below
    large = replace(build_tree(game), payoff_den=10**4400)
    with pytest.raises(BadInputError, match=r"numbers of at most 4,000 digits, got 0[.]000"):
        efg_text(large)
