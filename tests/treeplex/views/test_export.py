"""Games for other programs: each file, read by somebody else, is the game it was written from."""

import io
import json
import re
import runpy
from fractions import Fraction

import highspy
import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import run
from treeplex.core.loading import load
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.programs.program_writing import ProgramNames, write_lp, write_mps
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.views.graphviz import dot_text

PAGE = ROOT / "docs" / "EXPORT.md"
SPECS = ("kuhn_poker", "leduc_poker", "coin_toss", "goofspiel(cards=4)", "kuhn_poker(ranks=50)")
LEGAL = re.compile(r"(x|v|s|flow|sum|value)\([A-Za-z0-9_.,()?]*(~[0-9]+)?")
"""A name that is cut loses its last bracket."""


def optimum(path):
    """What HiGHS makes of a file."""
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("primal_feasibility_tolerance", 1e-10)
    solver.setOptionValue("dual_feasibility_tolerance", 1e-10)
    assert solver.readModel(str(path)) == highspy.HighsStatus.kOk
    solver.run()
    assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return solver.getInfo().objective_function_value


# linear programs


@over(SPECS)
def test_programs_read_back_have_the_certified_value(spec, tmp_path):
    problem = load(spec)
    certificate = tp.solve(problem).certificate
    for player, sign in ((0, -1), (1, 1)):
        for suffix in ("mps", "lp"):
            path = tmp_path / f"{player}.{suffix}"
            tp.export(problem, path, player=player)
            value = sign * optimum(path)
            assert certificate.lower - 1e-8 <= value <= certificate.upper + 1e-8


def test_running_sums_are_columns_and_rows(tmp_path):
    problem = load("kuhn_poker(ranks=50)")
    names = ProgramNames.of(problem.form, 0)
    k = len(problem.form.payoff.link)
    assert k > 0
    assert [n for n in names.columns if n.startswith("s(")] == [f"s({i})" for i in range(k)]
    assert [n for n in names.rows if n.startswith("sum(")] == [f"sum({i})" for i in range(k)]
    assert "running sums" in written(problem.form, write_lp)
    assert "running sums" not in written(load("kuhn_poker").form, write_lp)


@given(st.integers(0, 10_000), st.integers(0, 6), st.integers(1, 4))
def test_names_are_legal_and_all_different(seed, depth, actions):
    form = tree_form(build_tree(random_game(seed, depth, actions)))
    for player in (0, 1):
        names = ProgramNames.of(form, player)
        for group in (names.columns, names.rows):
            assert len(set(group)) == len(group)
            assert all(LEGAL.fullmatch(name) and len(name) <= 100 for name in group)


def test_names_that_would_be_alike_are_numbered():
    form = tree_form(build_tree(Oddly(("a b", "a-b", "a_b", "e" * 300, "e" * 301))))
    names = ProgramNames.of(form, 0).columns[1:6]
    assert names[:3] == ("x(_k_,a_b)", "x(_k_,a_b)~2", "x(_k_,a_b)~3")
    assert names[4] == f"{names[3]}~2"
    assert max(map(len, names)) == 92


def test_programs_of_odd_names_read_back(tmp_path):
    for suffix in ("mps", "lp"):
        path = tmp_path / f"odd.{suffix}"
        tp.export(Oddly(("free", "1e5 <= 3", "$\\*", "é\n", "end")), path)
        assert optimum(path) == -4  # player 0 takes the last and largest payoff


@over([0, 1])
def test_the_comment_says_what_the_optimum_is(player):
    text = written(load("kuhn_poker").form, write_mps, player)
    comment = [line for line in text.splitlines() if line.startswith("*")]
    assert f"program of player {player}" in comment[0]
    assert ("minus the value" in comment[2]) == (player == 0)
    assert "drop entries" not in text


def test_a_tiny_entry_is_announced():
    form = tree_form(build_tree(Oddly(("a", "b"), unit=Fraction(1, 10**12))))
    assert "smallest entry is 1e-12" in written(form, write_lp)


def test_lines_stay_short():
    long = Oddly(("a" * 99, "b" * 99), unit=Fraction(1, 3))
    long.name = "[1,2]," * 200
    for write in (write_lp, write_mps):
        text = written(tree_form(build_tree(long)), write)
        assert max(map(len, text.splitlines())) <= 560
        assert text.isascii()


def test_numbers_are_the_shortest_that_read_back(tmp_path):
    text = written(load("kuhn_poker").form, write_mps)
    third = [line.split()[2] for line in text.splitlines() if line.startswith(" x(Q_cr,c) value")]
    assert {abs(float(number)) for number in third} == {1 / 3}
    assert len(third) == 2


def written(form, write, player=0):
    file = io.StringIO()
    write(form, player, file)
    return file.getvalue()


class Oddly:
    """Player 0 picks a label, the k-th of which pays k units."""

    def __init__(self, labels, unit=Fraction(1)):
        self.labels, self.size = labels, unit
        self.name, self.unit = "oddly\nnamed", "€"

    def root(self):
        return ""

    def player(self, state):
        return -2 if state else 0

    def actions(self, state):
        return self.labels

    def chance(self, state):
        raise AssertionError(f"chance never moves, at {state!r}")

    def child(self, state, action):
        return action

    def infoset(self, state, player):
        return " k:"

    def public(self, state):
        return "all"

    def payoff(self, state):
        return self.labels.index(state) * self.size


# arrays


@pytest.fixture(scope="module")
def arrays(tmp_path_factory):
    def read(spec):
        path = tmp_path_factory.mktemp("arrays") / "game.npz"
        tp.export(spec, path)
        with np.load(path, allow_pickle=False) as found:
            return dict(found)

    return read


def matrix(found, name):
    parts = tuple(found[f"{name}_{part}"] for part in ("data", "indices", "indptr"))
    return csr_array(parts, shape=tuple(found[f"{name}_shape"]))


@over(["leduc_poker", "kuhn_poker(ranks=50)"])
def test_arrays_hold_the_whole_form(spec, arrays):
    found, form = arrays(spec), load(spec).form
    head = json.loads(found["head"].tobytes())
    assert (head["game"], head["unit"]) == (form.name, "chips")
    for p, treeplex in enumerate(form.treeplexes):
        assert tuple(found[f"{p}_infosets"]) == treeplex.infosets
        assert tuple(found[f"{p}_actions"]) == treeplex.actions
        for what in ("begin", "end", "parent", "infoset_of"):
            np.testing.assert_array_equal(found[f"{p}_{what}"], getattr(treeplex, what))
        plan = treeplex.plan(treeplex.uniform())
        np.testing.assert_allclose(matrix(found, "EF"[p]) @ plan, found["ef"[p]], atol=1e-15)
    np.testing.assert_array_equal(found["link"], form.payoff.link)
    for name in ("base", "left", "right"):
        exact = getattr(form.payoff, name)
        floats = matrix(found, name)
        assert (floats != exact.csr).nnz == 0
        den = int(head["denominators"][name])
        assert [Fraction(int(a), den) for a in found[f"{name}_num"]] == [
            Fraction(int(a), exact.den) for a in exact.num
        ]
        assert floats.data.tolist() == [int(a) / den for a in found[f"{name}_num"]]


def test_numerators_beyond_int64_are_strings(tmp_path):
    tp.export(Oddly(("a", "b"), unit=Fraction(10**30)), tmp_path / "large.npz")
    with np.load(tmp_path / "large.npz", allow_pickle=False) as found:
        assert found["base_num"].tolist() == [str(10**30)]


def test_denominators_may_have_more_digits_than_python_writes(tmp_path):
    tp.export(Oddly(("a", "b"), unit=Fraction(1, 10**4500)), tmp_path / "small.npz")
    with np.load(tmp_path / "small.npz", allow_pickle=False) as found:
        head = json.loads(found["head"].tobytes())
    assert head["denominators"]["base"] == "1" + 4500 * "0"


@over(["leduc_poker", "kuhn_poker(ranks=50)"])
def test_the_snippet_of_the_page_finds_the_value(spec, tmp_path, monkeypatch):
    """It knows nothing of this project."""
    snippet = re.search(r"```python\n(import json\n.*?)```", PAGE.read_text(encoding="utf-8"), re.S)[1]
    assert "treeplex" not in snippet
    tp.export(spec, tmp_path / "game.npz")
    (tmp_path / "snippet.py").write_text(snippet)
    monkeypatch.chdir(tmp_path)
    said = runpy.run_path("snippet.py")
    certificate = tp.solve(spec).certificate
    assert certificate.lower - 1e-8 <= said["value"] <= certificate.upper + 1e-8


# trees


@over(["coin_toss", "kuhn_poker", "liars_dice(faces=2)"])
def test_dot_has_every_history_move_and_infoset(spec):
    tree = load(spec).enumerated.tree
    lines = list(dot_text(tree))
    nodes = [re.match(r"  n(\d+) \[", line) for line in lines]
    edges = [re.match(r"  n(\d+) -> n(\d+) \[label", line) for line in lines]
    dashed = [re.match(r"  n(\d+) -> n(\d+) \[style=dashed constraint=false", line) for line in lines]
    assert [int(m[1]) for m in nodes if m] == list(range(tree.n_nodes))
    assert [(int(m[1]), int(m[2])) for m in edges if m] == [
        (int(tree.parent[n]), n) for n in range(1, tree.n_nodes)
    ]
    joined = nx.Graph([(int(m[1]), int(m[2])) for m in dashed if m])
    known = {n: (int(tree.player[n]), int(tree.infoset[n, tree.player[n]])) for n in joined}
    assert all(len({known[n] for n in part}) == 1 for part in nx.connected_components(joined))
    assert len({known[n] for n in joined}) == nx.number_connected_components(joined)
    acting = [n for n in range(tree.n_nodes) if tree.player[n] >= 0]
    infosets = {(int(tree.player[n]), int(tree.infoset[n, tree.player[n]])) for n in acting}
    assert len(acting) - joined.number_of_edges() == len(infosets)


def test_dot_escapes_what_it_must():
    text = "".join(dot_text(build_tree(Oddly(('say "no"', "back\\slash", "two\nlines")))))
    assert 'label="say \\"no\\""' in text
    assert 'label="back\\\\slash"' in text
    assert 'label="two\\nlines"' in text


def test_a_tree_too_large_for_graphviz_is_refused(complaint):
    said = complaint("export", "leduc_poker", "--format", "dot")
    assert f"{load('leduc_poker').enumerated.tree.n_nodes:,} histories" in said
    assert "at most 5,000" in said


def test_efg_is_the_tree(tmp_path, capfd):
    tp.export("kuhn_poker", tmp_path / "kuhn.efg")
    text = (tmp_path / "kuhn.efg").read_text()
    assert text.startswith("EFG 2 R")
    assert run(["export", "kuhn_poker", "--format", "efg"]) == SUCCESS
    assert capfd.readouterr().out == text


# the command


@over(["mps", "lp", "dot"])
def test_text_goes_to_standard_output_without_a_file(format, capfd, tmp_path):
    assert run(["export", "coin_toss", "--format", format]) == SUCCESS
    out, err = capfd.readouterr()
    path = tmp_path / f"coin.{format}"
    assert run(["export", "coin_toss", "--out", str(path)]) == SUCCESS
    assert (path.read_text(), err) == (out, "")
    assert capfd.readouterr().out.split() == [str(path)]


def test_another_suffix_needs_a_format(tmp_path, complaint):
    assert "or name its format" in complaint("export", "coin_toss", "--out", tmp_path / "coin.txt")
    assert "or name its format" in complaint("export", "coin_toss")
    tp.export("coin_toss", tmp_path / "coin.txt", "lp", player=1)
    assert "player 1" in (tmp_path / "coin.txt").read_text()


@over(
    [
        (("coin_toss", "--format", "xls"), "mps, lp, npz, dot, efg, got 'xls'"),
        (("coin_toss", "--format", "lp", "--player", "2"), "player must be 0 or 1, got 2"),
        (("coin_toss", "--format", "dot", "--player", "1"), "player is for mps and lp only"),
        (("coin_toss", "--format", "lp", "--out", "{}/coin.mps"), "says mps, and the format is lp"),
        (("coin_toss", "--out", "{}/none/coin.mps"), "there is no directory"),
        (("nowhere", "--format", "lp"), "unknown game 'nowhere'"),
    ]
)
def test_wrong_input_is_one_line(arguments, says, tmp_path, complaint):
    assert says in complaint("export", *(a.replace("{}", str(tmp_path)) for a in arguments))


@over([True, "0", 0.0])
def test_a_player_of_another_type_is_refused(player, tmp_path):
    with pytest.raises(ValueError, match="player must be 0 or 1"):
        tp.export("coin_toss", tmp_path / "coin.lp", player=player)
