"""Pictures of game trees: places, infosets, subgames, gadgets, files."""

import re
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patches import Rectangle

import treeplex as tp
from tests.helpers.cells import over
from treeplex.cli.app import SUCCESS
from treeplex.cli.main import run
from treeplex.gadgets.published_gadgets import Maxmargin, Resolve, Unsafe
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.zoo.random_game import random_game
from treeplex.games.zoo.textbook import coin_toss
from treeplex.pictures.history_texts import NumberStyle, near_fraction
from treeplex.pictures.merged_deals import merged
from treeplex.pictures.sketch import STUB, sketch
from treeplex.pictures.tree_layout import Layout, label_width, width_of
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.programs.lp_solution import solve_lp
from treeplex.seqform.subgames.cut import cut
from treeplex.seqform.subgames.public_states import PublicStates
from treeplex.seqform.subgames.subgame import Subgame
from treeplex.seqform.trees.game_tree import build_tree
from treeplex.views.draw import MOST_DRAWN
from treeplex.views.gadget_sketch import gadget_sketch

DRAWN = ("coin_toss", "kuhn_poker", "dummy_pennies", "goofspiel(cards=3)", "coin_toss(subgames=2)")
SIGNATURES = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
random_sketches = st.builds(
    lambda seed, depth, actions: sketch(build_tree(random_game(seed, depth, actions)), 10**6, ""),
    st.integers(0, 10_000),
    st.integers(0, 4),
    st.integers(1, 3),
)


# what is drawn


@over(DRAWN)
def test_a_sketch_is_the_tree(spec):
    tree = tp.load(spec).enumerated.tree
    nodes = tp.draw(spec).sketch.nodes
    assert [node.parent for node in nodes] == tree.parent.tolist()
    assert [node.player for node in nodes] == tree.player.tolist()
    for n, node in enumerate(nodes):
        if node.player == TERMINAL:
            assert node.payoff == Fraction(int(tree.payoff[n]), tree.payoff_den)
        elif node.player >= 0:
            assert node.key == tree.keys[node.player][tree.infoset[n, node.player]]
    for n, node in enumerate(nodes[1:], 1):
        if nodes[node.parent].player == CHANCE:
            assert node.odds * int(tree.chance[node.parent]) == int(tree.chance[n])


def test_depth_breaks_the_picture_off():
    whole, part = (tp.draw("kuhn_poker", depth=depth).sketch.nodes for depth in (None, 2))
    assert Counter(node.player for node in part) == {CHANCE: 1, 0: 6, STUB: 12}
    assert [node.move for node in part] == [
        node.move for k, node in enumerate(whole) if Layout.of(tp.draw("kuhn_poker").sketch).level[k] <= 2
    ]
    assert tp.draw("kuhn_poker", depth=4).sketch == tp.draw("kuhn_poker").sketch


def test_leaves_are_no_stubs():
    nodes = tp.draw("coin_toss", depth=2).sketch.nodes
    assert Counter(node.player for node in nodes) == {CHANCE: 1, 0: 2, TERMINAL: 2, STUB: 2}


# parts


def test_deals_that_differ_by_suits_are_one():
    drawn = tp.draw("leduc_poker", depth=1).sketch
    deals = [(node.move, node.count, node.odds) for node in drawn.nodes[1:]]
    assert deals[:2] == [("J|J", 2, Fraction(1, 15)), ("J|Q", 4, Fraction(2, 15))]
    assert (len(deals), sum(n for _, n, _ in deals), sum(odds for *_, odds in deals)) == (9, 30, 1)
    assert "differ by suits only" in drawn.title[1]
    assert drawn.move(2) == "J|Q ×4\np = 2/15"
    graph = tp.draw("leduc_poker", depth=1).graph
    assert (graph.nodes[2]["count"], graph.edges[0, 2]["odds"]) == (4, Fraction(2, 15))


@pytest.mark.seconds(3)
@over(["leduc_poker(ranks=2)", "leduc_poker(raises=1)"])
def test_a_merged_tree_is_worth_as_much(spec):
    tree = tp.load(spec).enumerated.tree
    whole = sketch(tree, 10**5, "")
    both = [number_tree(build_tree(AsDrawn(drawn))).form for drawn in (whole, merged(whole))]
    assert len(merged(whole).nodes) < len(whole.nodes) / 2
    values = [float(solve_lp(form).certificate.value) for form in both]
    assert values == pytest.approx([values[0]] * 2, abs=1e-9)


def test_suits_that_matter_are_kept_apart():
    tree = tp.load("kuhn_poker").enumerated.tree
    whole = sketch(tree, 10**5, "")
    assert merged(whole) == whole


def test_a_part_below_a_public_state_or_a_history():
    whole = tp.draw("kuhn_poker").sketch
    part = tp.draw("kuhn_poker", below=":cr").sketch
    keys = ["J:cr", "J:cr", "Q:cr", "Q:cr", "K:cr", "K:cr"]
    assert [node.key for node in part.nodes if node.parent == 0] == keys
    assert [node.move for node in part.nodes if node.parent == 0][:2] == ["Js|Qs", "Js|Ks"]
    assert part.nodes[0].player == STUB
    assert part.title[0] == "kuhn_poker below :cr"
    deal = tp.draw("kuhn_poker", below="Js|Ks").sketch
    start = [node.move for node in whole.nodes].index("Js|Ks")
    inside = whole.nodes[start : start + len(deal.nodes)]
    assert [(n.player, n.key, n.payoff) for n in deal.nodes] == [(n.player, n.key, n.payoff) for n in inside]
    assert (deal.nodes[0].parent, deal.nodes[0].move, deal.nodes[0].odds) == (-1, "", None)
    assert len(tp.draw("kuhn_poker", below="Js|Ks/c", depth=1).sketch.nodes) == 3


def test_numbers_of_a_picture_are_written_in_one_way():
    short = NumberStyle.of([Fraction(1, 6), Fraction(-3, 2)])
    assert (short.odds(Fraction(1, 6)), short.payoff(Fraction(-3, 2))) == ("p = 1/6", "−3/2")
    assert (short.payoff(Fraction(2)), short.payoff(Fraction(0))) == ("+2", "0")
    long = NumberStyle.of([Fraction(1, 6), Fraction(1, 1081)])
    assert (long.odds(Fraction(1, 6)), long.payoff(Fraction(-3, 2))) == ("p = 0.1667", "−1.5")
    assert near_fraction(-2 / 3) == Fraction(-2, 3)
    assert near_fraction(1 / 3 + 1e-6) == Fraction(1 / 3 + 1e-6)


def test_no_line_above_or_below_a_picture_is_cut():
    for gadget in ("resolve", "maxmargin", "reach-maxmargin"):
        given = {"at": ":Play", "defender": 1, "gadget": gadget, "blueprint": "uniform"}
        picture = tp.draw("coin_toss", **given)
        figure = picture.figure()
        canvas = FigureCanvasAgg(figure)
        canvas.draw()  # places the legend
        renderer = canvas.get_renderer()
        written = [*figure.axes[0].texts, *figure.legends[0].get_texts()]
        boxes = [text.get_window_extent(renderer) for text in written]
        assert all(box.x0 >= 0 and box.x1 <= figure.bbox.width and box.y0 >= 0 for box in boxes)
        texts = " ".join(text.get_text().replace("\n", " ") for text in written)
        for line in (*picture.sketch.title, picture.sketch.leaves):
            assert line in texts


def test_grounds_of_two_trees_of_a_subgame_stay_apart():
    drawn = tp.draw("coin_toss", at=":Play", defender=1, gadget="maxmargin", blueprint="uniform")
    patches = drawn.figure().axes[0].patches
    grounds = [(p.get_x(), p.get_x() + p.get_width()) for p in patches if isinstance(p, Rectangle)]
    assert len(grounds) == 2
    assert grounds[1][0] - grounds[0][1] > 0.1


def test_a_wide_picture_says_what_to_do(capsys, tmp_path):
    assert run(["draw", "leduc_poker", "--below", "K:cc/", "--out", str(tmp_path / "a.svg")]) == SUCCESS
    assert re.search(r"\d+ inches wide, .*--below LINE draws a part", capsys.readouterr().err)
    assert run(["draw", "kuhn_poker", "--out", str(tmp_path / "b.svg")]) == SUCCESS
    assert capsys.readouterr().err == ""


# places


@settings(max_examples=15)
@given(random_sketches)
def test_layout(drawn):
    layout, nodes = Layout.of(drawn), drawn.nodes
    leaves = sorted({*range(len(nodes))} - {node.parent for node in nodes})
    for k, node in enumerate(nodes):
        if k > 0:
            assert layout.level[k] == layout.level[node.parent] + 1
            assert layout.y[k] < layout.label(drawn, k)[1] < layout.y[node.parent]
        under = [leaf for leaf in leaves if layout.span[k][0] < layout.x[leaf] < layout.span[k][1]]
        assert layout.span[under[0]][0] <= layout.x[k] <= layout.span[under[-1]][1]
        if k > 0:
            left, right = layout.span[drawn.nodes[k].parent]
            assert left - 1e-9 <= layout.span[k][0] < layout.span[k][1] <= right + 1e-9
        assert 0 < layout.y[k] < layout.height


@settings(max_examples=15)
@given(random_sketches)
def test_nothing_touches(drawn):
    layout = Layout.of(drawn)
    for level in range(max(layout.level) + 1):
        there = [k for k in range(len(drawn.nodes)) if layout.level[k] == level]
        for texts in (
            [(layout.x[k], width_of(drawn.text(k)) / 2) for k in there],
            [(layout.label(drawn, k)[0], label_width(drawn.move(k)) / 2) for k in there if level > 0],
        ):
            ends = [0.0, *(end for x, half in texts for end in (x - half, x + half)), layout.width]
            assert all(a <= b + 1e-9 for a, b in pairwise(ends))


@over(DRAWN)
def test_texts_do_not_overlap_when_drawn(spec):
    figure = tp.draw(spec).figure()
    renderer = FigureCanvasAgg(figure).get_renderer()
    boxes = [text.get_window_extent(renderer) for text in figure.axes[0].texts]
    for n, box in enumerate(boxes):
        for other in boxes[:n]:
            wide = min(box.x1, other.x1) - max(box.x0, other.x0)
            high = min(box.y1, other.y1) - max(box.y0, other.y0)
            assert wide <= 0 or high <= 2  # a line's box has room above its letters


def test_an_infoset_may_span_levels():
    class Forked:
        name, unit = "forked", "points"

        def root(self):
            return ""

        def player(self, state):
            return TERMINAL if state.endswith(("l", "r")) else 1 if state in ("a", "bc") else 0

        def actions(self, state):
            return {"": ("a", "b"), "b": ("c", "d")}.get(state, ("l", "r")) if state != "bd" else ("l",)

        def chance(self, state):
            raise AssertionError(f"chance never moves, at {state!r}")

        def child(self, state, action):
            return state + action

        def infoset(self, state, player):
            return "?" if player == 1 else state

        def public(self, state):
            return ""

        def payoff(self, state):
            return len(state)

    picture = tp.draw(Forked())
    nodes = picture.sketch.infosets()[1, "?"]
    assert [Layout.of(picture.sketch).level[k] for k in nodes] == [1, 2]
    picture.figure()


# subgames


def test_subgames_are_shaded():
    drawn = tp.draw("coin_toss(subgames=2)", at="all", defender=1).sketch
    assert drawn.shades == (":Play/S1", ":Play/S2")
    shaded = Counter(node.shade for node in drawn.nodes)
    assert shaded == {-1: 7, 0: 8, 1: 8}
    inside = [node for node in drawn.nodes if node.shade == 1 and node.player == 1]
    assert {node.key for node in inside} == {"?:Play/S2"}


@pytest.fixture(scope="module")
def coin():
    """Coin Toss after Play under the blueprint of the paper's Figure 2."""
    enumerated = number_tree(build_tree(coin_toss()))
    x, y = np.array([1, 1 / 4, 3 / 4, 1 / 2, 1 / 2]), np.array([1, 1 / 2, 1 / 4, 1 / 4])
    blueprint = tp.Profile(enumerated.form.treeplexes, (x, y))
    return Subgame.of(cut(PublicStates.of(enumerated.tree), enumerated, [":Play"], 1), blueprint)


def test_resolve_is_drawn_as_in_the_paper(coin):
    drawn = gadget_sketch(Resolve(), coin)
    places = range(len(drawn.nodes))
    assert [drawn.text(k) for k in places if drawn.nodes[k].move == "stay"] == ["0", "+1/2"]
    starts = [drawn.move(k) for k in places if drawn.nodes[k].parent == 0]
    assert starts == ["Heads:Play\np = 1/2", "Tails:Play\np = 1/2"]


def test_unsafe_is_drawn_as_in_the_paper(coin):
    nodes = gadget_sketch(Unsafe(), coin).nodes
    starts = [(node.move, node.odds) for node in nodes if node.parent == 0]
    assert starts == [("Heads/Play", Fraction(3, 5)), ("Tails/Play", Fraction(2, 5))]


@over(
    [(Resolve(), True), (Maxmargin(), False)],
    [
        ("coin_toss", ":Play", 1),
        ("coin_toss(subgames=2)", ":Play/S2", 1),
        ("kuhn_poker", ":c", 0),
        ("kuhn_poker", ":cr", 0),
        ("kuhn_poker", ":c", 1),
        ("kuhn_poker", ":r", 1),
    ],
)
def test_a_drawn_gadget_game_is_the_gadget_game(gadget, normal, spec, name, defender):
    """Its value, from the picture alone, is the program's."""
    enumerated = tp.load(spec).enumerated
    states = PublicStates.of(enumerated.tree)
    blueprint = tp.Profile(enumerated.form.treeplexes, tuple(t.uniform() for t in enumerated.form.treeplexes))
    subgame = Subgame.of(cut(states, enumerated, [name], defender), blueprint)
    value = solve_lp(number_tree(build_tree(AsDrawn(gadget_sketch(gadget, subgame)))).form).certificate.value
    expected = solve_lp(gadget.apply(subgame)).certificate.value
    scale = float(subgame.reach[subgame.live].sum()) if normal else 1.0
    assert value * scale == pytest.approx(expected, abs=1e-8)


class AsDrawn:
    """The game that a picture shows."""

    def __init__(self, drawn):
        self.nodes, self.name, self.unit = drawn.nodes, "drawn", "points"
        self.below = [[j for j, n in enumerate(self.nodes) if n.parent == k] for k in range(len(self.nodes))]

    def root(self):
        return 0

    def player(self, state):
        return self.nodes[state].player

    def actions(self, state):
        return [self.nodes[k].move for k in self.below[state]]

    def chance(self, state):
        odds = [self.nodes[k].odds for k in self.below[state]]
        return [(move, o / sum(odds)) for move, o in zip(self.actions(state), odds, strict=True)]

    def child(self, state, action):
        return self.below[state][self.actions(state).index(action)]

    def infoset(self, state, player):
        return self.nodes[state].key if self.player(state) == player else f"idle {state}"

    def public(self, state):
        return ""

    def payoff(self, state):
        return self.nodes[state].payoff


def test_other_gadgets_are_refused(complaint):
    for method in ("distributional", "lexicographic", "joint"):
        said = complaint(
            "draw", "coin_toss", "--at", ":Play", "--defender", "1", "--gadget", method, "--out", "never.png"
        )
        assert method in said


# as a graph


@over(DRAWN)
def test_the_graph_is_the_tree(spec):
    tree = tp.load(spec).enumerated.tree
    picture = tp.draw(spec)
    graph = picture.graph
    assert nx.is_arborescence(graph)
    assert sorted(graph.edges) == sorted((int(tree.parent[n]), n) for n in range(1, tree.n_nodes))
    for n, node in graph.nodes(data=True):
        player = int(tree.player[n])
        paid = Fraction(int(tree.payoff[n]), tree.payoff_den)
        assert node["player"] == player
        assert node["payoff"] == (paid if player == TERMINAL else None)
        assert node["infoset"] == (tree.keys[player][tree.infoset[n, player]] if player >= 0 else None)
    drawn = {text.get_text(): text.get_position() for text in picture.figure().axes[0].texts}
    leaves = [
        (data["label"], data["pos"]) for _, data in graph.nodes(data=True) if data["payoff"] is not None
    ]
    last = dict(leaves)
    assert all(drawn[label] == pytest.approx(last[label]) for label in last)
    moves = {picture.sketch.move(k) for k in range(1, len(picture.sketch.nodes))}
    assert {label for *_, label in graph.edges(data="label")} == moves


def test_a_graph_knows_subgames_and_gadgets():
    graph = tp.draw("coin_toss", at=":Play", defender=1, gadget="resolve", blueprint="uniform").graph
    assert graph.graph["name"] == "resolve on :Play of coin_toss"
    assert Counter(nx.get_node_attributes(graph, "subgame").values()) == {":Play": 8, None: 5}
    assert {data["payoff"] for _, data in graph.nodes(data=True)} == {None, -1, 1, Fraction(1, 3)}


# files


@pytest.mark.seconds(3)
@over(SIGNATURES)
def test_files_appear_whole(kind, tmp_path, capsys):
    path = tmp_path / f"coin.{kind}"
    given = ("draw", "coin_toss", "--at", ":Play", "--defender", "1", "--out", str(path))
    assert run(given) == SUCCESS
    first = path.read_bytes()
    assert first.startswith(SIGNATURES[kind])
    assert run(given) == SUCCESS
    assert path.read_bytes() == first
    assert list(tmp_path.glob(f"*{kind}*")) == [path]
    assert capsys.readouterr().out.split() == [str(path)] * 2


def test_an_svg_keeps_its_texts(tmp_path):
    tp.draw("coin_toss", at=":Play", defender=1).write(tmp_path / "coin.svg")
    text = (tmp_path / "coin.svg").read_text()
    for word in ("Heads:", "?:Play", "Forfeit", "−1/2", "p = 1/2", "subgame :Play", "chance", "in dollars"):
        assert word in text


def test_a_picture_shows_itself():
    png, shown = tp.draw("coin_toss")._repr_png_()
    assert png.startswith(b"\x89PNG")
    assert 300 < shown["width"] < 1200


def test_without_a_file_the_tree_is_text(capsys):
    assert run(["draw", "coin_toss"]) == SUCCESS
    out = capsys.readouterr().out
    assert "Heads (p = 1/2): 0 Heads:" in out
    assert "leaves: what player 0 gets, in dollars" in out
    assert out.count("1 ?:Play") == 2


@pytest.mark.seconds(3)
@over(
    [
        (("leduc_poker",), rf"1,936 histories, and at most {MOST_DRAWN}.*--below"),
        (("coin_toss", "--depth", "0"), r"depth must be at least 1 move, got 0"),
        (("coin_toss", "--at", ":Play"), r"give both or neither"),
        (("coin_toss", "--defender", "1"), r"give both or neither"),
        (("coin_toss", "--at", "nowhere", "--defender", "1"), r"no public state 'nowhere'"),
        (("coin_toss", "--gadget", "resolve"), r"on one subgame"),
        (("coin_toss", "--at", ":Play", "--defender", "1", "--gadget", "resolv"), r"resolv"),
        (("coin_toss(subgames=2)", "--at", "all", "--defender", "1", "--gadget", "resolve"), r"one subgame"),
        (("coin_toss", "--blueprint", "uniform"), r"a blueprint is for the game of a gadget"),
        (("limit_holdem", "--depth", "1"), r"more than 100,000 histories"),
        (("coin_toss", "--out", "never.gif"), r"must end in .png or .svg or .pdf"),
        (("nowhere",), r"unknown game 'nowhere'"),
        (("kuhn_poker", "--below", "Js|Qs/x"), r"after 'Js\|Qs' it goes on by 'c', 'r'; public states are"),
        (("kuhn_poker", "--below", "cr"), r"histories begin by 'Js\|Qs'.* ':cr'"),
        (
            ("coin_toss", "--at", ":Play", "--defender", "1", "--gadget", "resolve", "--below", "x"),
            r"the game of a gadget is drawn whole",
        ),
    ]
)
def test_wrong_input_is_one_line(arguments, says, complaint):
    assert re.search(says, complaint("draw", *arguments))
