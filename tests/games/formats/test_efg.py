"""Gambit's extensive-form files: what is read, what is refused, and what players know."""

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.paths import ROOT
from treeplex.games.base.protocol import CHANCE, TERMINAL
from treeplex.games.formats.efg import EfgGame, distinct, infoset_keys, known_keys, parse_efg, read_efg
from treeplex.games.formats.efg_text import parse_efg_text
from treeplex.games.formats.specs import load_game
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import number_tree
from treeplex.seqform.trees.efg_writer import efg_text
from treeplex.seqform.trees.game_tree import build_tree

EXAMPLE = ROOT / "examples" / "night_crossing.efg"
HEAD = 'EFG 2 R "a game" { "One" "Two" }\n'
PENNIES = f"""{HEAD}
p "" 1 1 "side" {{ "h" "t" }} 0
p "" 2 1 "guess" {{ "h" "t" }} 0
t "" 1 "win" {{ 1, -1 }}
t "" 2 "loss" {{ -1, 1 }}
p "" 2 1 "guess" {{ "h" "t" }} 0
t "" 2 "loss" {{ -1, 1 }}
t "" 1 "win" {{ 1, -1 }}
"""


def chance_text(weights: Sequence[str]) -> str:
    """Return a game of one move of chance, on line 3, with these weights."""
    outcomes = " ".join(f'"{n}" {weight}' for n, weight in enumerate(weights))
    return f'{HEAD}\nc "" 1 "" {{ {outcomes} }} 0 ' + 't "" 0 ' * len(weights)


class TestGrammar:
    @over(
        [
            PENNIES,
            "\ufeff" + PENNIES.replace("\n", "\r\n"),
            PENNIES.replace("\n", "\t\v "),
            " ".join(PENNIES.split()),
            PENNIES.replace(",", ""),
            PENNIES.replace(",", " , ").replace(" }", ",}").replace('",}', '" }'),
            PENNIES.replace("{ ", "{").replace(" }", "}"),
            PENNIES.replace(" R ", " D ", 1),
            PENNIES.replace(' "loss" { -1, 1 }\np "" 2 1 "guess" { "h" "t" }', ' "loss" { -1, 1 }\np "" 2 1'),
            PENNIES.replace('t "" 1 "win"', 't "" 1 "WIN"', 1)
            .replace('"win" { 1, -1 }', "")
            .replace("WIN", "win"),
            PENNIES.replace('"win" ', "").replace('"loss" ', ""),
            PENNIES.replace("{ 1, -1 }", "{ +1.0 -10e-1 }").replace("{ -1, 1 }", "{ -1.,1/1 }"),
            PENNIES.replace('p "" 1', 'p "the first" 1').replace("\np", '\n"in two\nlines"\np', 1),
        ]
    )
    def test_spellings_of_one_game(self, text: str) -> None:
        assert parse_efg(text, "x") == parse_efg(PENNIES, "x")

    @over(
        [
            ("7", Fraction(7)),
            ("+7", Fraction(7)),
            ("007", Fraction(7)),
            ("1/3", Fraction(1, 3)),
            ("-6/4", Fraction(-3, 2)),
            (".5", Fraction(1, 2)),
            ("-.5", Fraction(-1, 2)),
            ("5.", Fraction(5)),
            ("0.1", Fraction(1, 10)),
            ("-1.25e-2", Fraction(-1, 80)),
            ("1E+3", Fraction(1000)),
            (".5e400", Fraction(5 * 10**399)),
            ("9" * 4000, Fraction(10**4000 - 1)),
        ]
    )
    def test_numbers_are_exact(self, text: str, number: Fraction) -> None:
        found = parse_efg_text(f'{HEAD}t "" 1 "x" {{ {text} 0 }}')
        assert found.outcomes[1].payoffs == (number, 0)

    def test_strings(self) -> None:
        text = parse_efg_text(r'EFG 2 R "a \"b\" \\ c\d" { "" "{\\" } "// no comment" t "}" 0')
        assert (text.title, text.players) == ('a "b" \\ c\\d', ("", "{\\"))
        assert (text.comment, text.nodes[0].name) == ("// no comment", "}")

    def test_records(self) -> None:
        text = parse_efg_text(EXAMPLE.read_text())
        assert (text.title, text.players) == ("The night crossing", ("Smuggler", "Crown"))
        assert text.comment.startswith("A boat carries")
        assert [node.player for node in text.nodes] == [CHANCE, *([0, 1, -2, -2, 1, -2, -2] * 2)]
        assert [node.parent for node in text.nodes] == [-1, 0, 1, 2, 2, 1, 5, 5, 0, 8, 9, 9, 8, 12, 12]
        assert [node.action for node in text.nodes] == [-1, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1]
        assert text.nodes[9][:2] == (16, "")
        assert text.nodes[9][4:] == (1, 1, 0)
        assert text.infosets[CHANCE, 1].weights == (Fraction(1, 3), Fraction(2, 3))
        assert text.outcomes[3].payoffs == (-2, 2)

    @over(
        [
            ("", "line 1: expected EFG, got the end of the file"),
            ("GAMEDEF\n", "line 1: expected EFG, got 'GAMEDEF'"),
            ("EFG 1 R", "line 1: expected version 2, got '1'"),
            ("EFG 2 X", "line 1: expected R or D, got 'X'"),
            ("EFG 2 R\n{", "line 2: expected the game's title in quotes, got '{'"),
            ('EFG 2 R "open { "', "line 1: expected '{', got the end of the file"),
            ('EFG 2 R "a" { "b" ', "line 1: expected '}', got the end of the file"),
            (HEAD, "line 2: expected a node (c, p or t), got the end of the file"),
            (HEAD + "q", "line 2: expected a node (c, p or t), got 'q'"),
            (HEAD + "t 1", "line 2: expected the node's name in quotes, got '1'"),
            (HEAD + 't ""\n\nx', "line 4: expected the number of an outcome, got 'x'"),
            (HEAD + 't "" -1', "line 2: expected the number of an outcome, got '-1'"),
            (HEAD + 't "" 1.5', "line 2: expected the number of an outcome, got '1.5'"),
            (HEAD + 't "" 1', "outcome 1 comes first here: expected its payoffs, got the end of the file"),
            (HEAD + 't "" 0 "x" { 0 0 }', "outcome 0 stands for no payoffs: expected no more of it"),
            (HEAD + 't "" 1 "x"', "line 2: expected '{', got the end of the file"),
            (HEAD + 't "" 1 { 1 }', "line 2: expected the payoff of player 2, got '}'"),
            (HEAD + 't "" 1 { 1 2 3 }', "line 2: expected '}', got '3'"),
            (HEAD + 't "" 1 { 1,,2 }', "line 2: expected the payoff of player 2, got ',2'"),
            (HEAD + 't "" 1 { 1;2 }', "line 2: expected the payoff of player 2, got ';2'"),
            (HEAD + 't "" 1 { nan 2 }', "line 2: expected the payoff of player 1, got 'nan'"),
            (HEAD + 't "" 1 { 1/0 2 }', "line 2: expected a denominator other than 0, got '1/0'"),
            (HEAD + 't "" 1 { 1e401 2 }', "at most 4,000 digits and an exponent up to 400, got '1e401'"),
            (HEAD + 't "" 1 { 1e-99999999999 2 }', "an exponent up to 400, got '1e-99999999999'"),
            (HEAD + f't "" 1 {{ 1{"0" * 10**6} 2 }}', "at most 4,000 digits"),
            (HEAD + f't "" {"1" * 10**6}', "line 2: expected the number of an outcome, got '1111"),
            (HEAD + 't "" 0\nt "" 0', "line 3: expected the end of the file, all actions having their nodes"),
            (HEAD + 'p "" 3 1 "" { "a" } 0', "line 2: expected a player from 1 to 2, got 3"),
            (HEAD + 'p "" 0\n\n1 "" { "a" } 0', "line 2: expected a player from 1 to 2, got 0"),
            (HEAD + 'p "" 1 1 0', "infoset 1 of player 1 comes first here: expected its actions, got '0'"),
            (HEAD + 'p "" 1 1 "a" { } 0', "line 2: expected the label of an action in quotes, got '}'"),
            (HEAD + 'p "" 1 1 "a" { "x" 0', "line 2: expected '}', got '0'"),
            (
                HEAD + 'p "" 1 1 "a" { "x" } 0\n',
                "line 3: expected a node (c, p or t), got the end of the file",
            ),
            (
                HEAD + 'p "" 1 1 "a" { "x" } 0\np "" 1 1 "a" { "y" }\n\n0',
                "line 3: infoset 1 of player 1 differs from what line 2 says of it",
            ),
            (
                HEAD + 'p "" 1 1 "a" { "x" } 1 { 1 2 } t ""\n1 { 1 3 }\n\n',
                "line 3: outcome 1 differs from what line 2 says of it",
            ),
            (HEAD + 'c "" 1 "" { "a" "b" 1/2 } 0', "line 2: expected a probability, got '\"b\"'"),
            (
                HEAD + 'c "" 1 "" { "a" 1 } 0\nc "" 1 "" { "a" 1/2 } 0',
                "line 3: infoset 1 of chance differs from what line 2 says of it",
            ),
        ]
    )
    def test_errors(self, text: str, message: str) -> None:
        with pytest.raises(ValueError, match=re.escape(message)) as caught:
            parse_efg(text, "x.efg")
        assert str(caught.value).startswith("x.efg: line ")
        assert len(str(caught.value)) < 200
        assert "\n" not in str(caught.value)

    @given(cut=st.integers(0, len(PENNIES) - 1), junk=st.sampled_from(["", '"', "{", "}", "0", "\\", "p "]))
    def test_a_broken_file_is_read_or_refused_in_one_line(self, cut: int, junk: str) -> None:
        for text in (PENNIES[:cut] + junk, PENNIES[:cut] + junk + PENNIES[cut + 1 :]):
            complaint = ""
            try:
                parse_efg(text, "x")
            except ValueError as error:
                complaint = str(error)
            assert re.fullmatch(r"(x: (line \d+: |payoffs must|needs).+)?", complaint)

    def test_ten_thousand_moves_deep(self) -> None:
        """Opponent's moves with side branches into one infoset, at every depth: no recursion, no square."""
        deep = 10_000
        down = "".join(f'p "" 2 {n} "" {{ "on" "off" }} 0\n' for n in range(1, deep + 1))
        up = 'p "" 1 1 "late" { "a" } 0 t "" 1 { 0 0 }\n' * deep
        game = parse_efg(HEAD + down + 't "" 0\n' + up, "x")
        assert len(game.positions) == 3 * deep + 1
        assert set(game.keys[0][:deep]) == {"~1"}  # the infoset comes after stretches of all lengths
        assert game.keys[0][deep + 1] == "late"


class TestGame:
    @over([("", "got 0"), ('"a"', "got 1"), ('"a" "b" "c" "d"', "got 4")])
    def test_two_players(self, players: str, message: str) -> None:
        with pytest.raises(ValueError, match=f"x: needs exactly two players, {message}"):
            parse_efg(f'EFG 2 R "" {{ {players} }} t "" 0', "x")

    @over(
        [
            (("0.333333",) * 3, "must sum to exactly 1, got 999999/1000000; write fractions such as 1/3"),
            (("1/2", "1/2", "1/2"), "line 3: a chance node's probabilities must sum to exactly 1, got 3/2$"),
            (("3/2", "-1/2", "0"), "line 3: a probability must be at least 0, got -1/2"),
            (("1e-400", "1/2", "1/2"), "must sum to exactly 1, got about 1.000000000; write fractions"),
        ]
    )
    def test_chance_is_exact(self, weights: Sequence[str], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            parse_efg(chance_text(weights), "x")

    @over(
        [
            (["0.3333333333333333"] * 3, ["1/3"] * 3),
            (["0.333333333333333"] * 3, ["1/3"] * 3),
            (["1.6666666666666666e-1"] * 6, ["1/6"] * 6),
            ([f"{1 / 1326:.16f}"] * 1326, ["1/1326"] * 1326),
            (["0.5", ".1666666666666667", "1/3", "0.0000"], ["1/2", "1/6", "1/3"]),
            (["0.30000000000000004", "0.7"], ["3/10", "7/10"]),
        ]
    )
    def test_decimals_of_floats_are_fractions(self, weights: Sequence[str], read: Sequence[str]) -> None:
        game = parse_efg(chance_text(weights), "x")
        assert [weight for _, weight in game.chance(0)] == list(map(Fraction, read))
        assert game.decimal is not None
        assert (
            "chance written as decimals was read as fractions, such as 1" in game.note or "3/10" in game.note
        )

    @over(
        [
            ["0.33333333333333"] * 3,  # fourteen places
            ["0.3333333333333333"] * 2 + ["0.333333"],
            ["0.3333333333333333"] * 2 + ["0.333333333333343"],
            ["0.5", "0.5", "1e-16"],  # not nothing
            ["0.3333333333333333", "0.1666666666666667"],
            ["0.5000000000000001", "0.5000000000000001", "-0.0000000000000001"],
            [f"{p:.16f}" for p in (0.3819660112501051, 0.6180339887498948)],  # of no small fraction
        ]
    )
    def test_other_decimals_are_refused(self, weights: Sequence[str]) -> None:
        with pytest.raises(
            ValueError, match=r"line 3: (a chance node's probabilities must sum|a probability)"
        ):
            parse_efg(chance_text(weights), "x")

    def test_decimals_that_sum_to_one_are_as_written(self) -> None:
        weights = ["0.3333333333333333", "0.3333333333333333", "0.3333333333333334"]
        game = parse_efg(chance_text(weights), "x")
        assert [weight for _, weight in game.chance(0)] == list(map(Fraction, weights))
        assert (game.decimal, game.note) == (None, "")

    def test_an_infoset_of_many_actions_named_again_and_again(self) -> None:
        """Room is taken by the nodes that a file has, not by those that it still owes."""
        actions = " ".join(f'"{n}"' for n in range(100_000))
        with pytest.raises(ValueError, match="line 2001: expected a node"):
            parse_efg_text(f'{HEAD}p "" 1 1 "" {{ {actions} }} 0' + '\np "" 1 1 0' * 1998 + "\n")

    def test_what_has_no_probability_is_left_out(self) -> None:
        text = """c "" 1 "" { "never" 0 "ever" 1 "nor" 0.0 } 0
        p "" 1 1 "gone" { "a" "b" } 0 t "" 1 { 5 5 } t "" 0
        p "" 1 2 "here" { "a" "b" } 0 t "" 2 { 1 -1 } c "" 1 0
        t "" 1 t "" 2 t "" 1
        t "" 1"""
        game = parse_efg(HEAD + text, "x")
        tree = build_tree(game)
        assert tree.n_nodes == 5
        assert tree.outcomes == {0: ("ever",), 3: ("ever",)}
        assert tree.labels[0][tree.infoset[1, 0]] == ("a", "b")
        assert (game.constant, game.infoset(1, 0)) == (0, "here")
        form = number_tree(tree).form
        plan = Profile(form.treeplexes, (form.treeplexes[0].uniform(), form.treeplexes[1].uniform()))
        assert certify(form, plan).value == 1

    def test_outcomes_add_up_along_the_path(self) -> None:
        game = read_efg(EXAMPLE)
        leaves = [game.payoff(n) for n, at in enumerate(game.positions) if at.player == TERMINAL]
        assert leaves == [6, 12, 10, 4, 0, 12, 10, -2]
        assert game.constant == 12

    def test_constant_sum(self) -> None:
        text = 'p "" 1 1 "" { "a" "b" } 1 { 1 2 }\nt "" 2 { 1/3 0 }\nt "" 3 { 1/2 0 }'
        message = "x: payoffs must add up to one constant at all leaves, got 10/3 on line 3 and 7/2 on line 4"
        with pytest.raises(ValueError, match=message):
            parse_efg(HEAD + text, "x")
        assert parse_efg(HEAD + text.replace("{ 1/2 0 }", "{ 1/2 -1/6 }"), "x").constant == Fraction(10, 3)

    def test_the_note(self) -> None:
        assert parse_efg(PENNIES, "x").note == ""
        note = "the file's payoffs add up to 1/3: player 1 gets 1/3 less what player 0 gets"
        assert parse_efg(HEAD + 't "" 1 { 1/3 0 }', "x").note == note
        chance = 'c "" 1 "" { "a" 0.3333333333333333 "b" 0.6666666666666666 } 1 { 1/3 0 } t "" 0 t "" 0'
        as_fractions = "chance written as decimals was read as fractions, such as 1/3 for 0.3333333333333333"
        assert parse_efg(HEAD + chance, "x").note == f"{note}; {as_fractions}"

    def test_a_leaf_alone(self) -> None:
        game = parse_efg(HEAD + 't "" 0', "x")
        assert (game.player(0), game.payoff(0), game.note) == (TERMINAL, 0, "")
        assert number_tree(build_tree(game)).form.n_infosets == (0, 0)

    def test_imperfect_recall_is_refused_by_the_sequence_form(self) -> None:
        text = 'p "" 1 1 "" { "a" "b" } 0 t "" 0 p "" 1 1 0 t "" 0 t "" 0'
        tree = build_tree(parse_efg(HEAD + text, "x"))
        with pytest.raises(ValueError, match="player 0 has imperfect recall: infoset '#1'"):
            number_tree(tree)

    def test_the_path_is_the_name(self, tmp_path: Path) -> None:
        path = tmp_path / "Pennies.EFG"
        path.write_text(PENNIES)
        game = load_game(str(path))
        assert isinstance(game, EfgGame)
        assert load_game(game.name) == game
        assert (game.name, game.unit) == (str(path), "payoff units")
        with pytest.raises(ValueError, match=r"unknown key 'bets'; legal keys of a \.efg file are none"):
            load_game(f"{path}(bets=1)")
        with pytest.raises(ValueError, match=r"cannot read .*absent\.efg"):
            load_game("absent.efg")


class TestKeys:
    @over(
        [
            ("", ()),
            ("a b", ("a", "b")),
            ("a a b a", ("a", "a#2", "b", "a#3")),
            ("_ _", ("1", "2")),
            ("2 _ a", ("2", "2#2", "a")),
            ("_ 1", ("1#2", "1")),
            ("a a a#2 a", ("a", "a#3", "a#2", "a#4")),
        ]
    )
    def test_labels_are_made_distinct(self, labels: str, names: Sequence[str]) -> None:
        assert distinct([label.strip("_") for label in labels.split()]) == names

    @given(st.lists(st.sampled_from(["", "a", "1", "2", "a#2", "a#3", "1#2", "2#2"])))
    def test_labels_are_distinct_and_stay_so(self, labels: list[str]) -> None:
        names = distinct(labels)
        assert len(set(names)) == len(labels)
        assert "" not in names
        assert distinct(names) == names
        assert all(name in names for name in labels if name)

    def test_infosets_without_a_label_of_their_own(self) -> None:
        labels = {1: "x", 2: "", 3: "x", 7: "#2", 8: "##2", 9: "y"}
        assert infoset_keys(labels) == {1: "#1", 2: "###2", 3: "#3", 7: "#2", 8: "##2", 9: "y"}

    def test_actions_without_a_label_of_their_own(self) -> None:
        text = 'p "" 1 5 "" { "a" "" "a" } 0 t "" 0 t "" 0 c "" 1 "" { "" 1/2 "" 1/2 } 0 t "" 0 t "" 0'
        tree = build_tree(parse_efg(HEAD + text, "x"))
        assert tree.labels[0][tree.infoset[0, 0]] == ("a", "2", "a#2")
        assert tree.outcomes == {3: ("1", "2")}
        assert tree.keys[0][0] == "#5"

    def test_idle_players(self) -> None:
        game = parse_efg(efg_text(build_tree(load_game("coin_toss"))), "x")
        assert game.keys[0][:5] == ("~1", "Heads:", "Heads:/Sell~2", "Heads:/Play~3", "Heads:/Play~4")
        assert game.keys[1][0] == "~1"
        assert game.keys[1][1] == game.keys[1][7] == "~2"  # the coin, which player 1 does not see
        assert game.keys[1][3] == game.keys[1][9] == "?:Play"

    def test_idle_keys_are_never_those_of_infosets(self) -> None:
        game = parse_efg(PENNIES.replace('"guess"', '"~1"'), "x")
        assert game.keys[1][0] == "~~1"
        assert game.keys[1].count("~1") == 2

    def test_idle_nodes_one_by_one(self) -> None:
        """Two lines of three moves into one infoset: the firsts share a key, the seconds, the thirds."""
        keys = known_keys([-1, 0, 1, 2, 3, 0, 5, 6, 7], [""] * 9, [-1] * 4 + [1] + [-1] * 3 + [1], {1: "x"})
        assert keys == ("~1", "~2", "~3", "~4", "x", "~2", "~3", "~4", "x")

    @given(st.data())
    def test_twin(self, data: st.DataObject) -> None:
        """On trees of any recall at all: what must be one is, and nothing else."""
        n = data.draw(st.integers(1, 40))
        back = data.draw(st.integers(1, 6))
        parent = [
            -1,
            *(data.draw(st.integers(max(0, k - back), max(0, k - back // 2 - 1))) for k in range(1, n)),
        ]
        idle = [-1] * data.draw(st.integers(1, 12))
        acting = data.draw(st.lists(st.sampled_from([*idle, 1, 2, 3]), min_size=n, max_size=n))
        keys = known_keys(parent, ["m"] * n, acting, {1: "x", 2: "y", 3: "z"})
        classes = naive_classes(parent, acting)
        for a in range(n):
            for b in range(n):
                assert (keys[a] == keys[b]) == (classes[a] == classes[b])

    @given(seed=st.integers(0, 10**6), depth=st.integers(0, 7))
    def test_keys_know_no_less_than_a_game_of_perfect_recall(self, seed: int, depth: int) -> None:
        tree = build_tree(random_game(seed, depth))
        read = build_tree(parse_efg(efg_text(tree), tree.name))
        number_tree(read)
        for player in (0, 1):
            known: dict[int, set[int]] = {}
            for ours, theirs in zip(read.infoset[:, player], tree.infoset[:, player], strict=True):
                known.setdefault(int(ours), set()).add(int(theirs))
            assert all(len(keys) == 1 for keys in known.values())


def naive_classes(parent: Sequence[int], acting: Sequence[int]) -> list[object]:
    """Classes by the rule as it is worded: pairs of nodes that must be one, joined until nothing changes."""
    stretches: dict[int, list[list[int]]] = {}
    for n, infoset in enumerate(acting):
        if infoset < 0:
            continue
        stretch, above = [], parent[n]
        while above >= 0 and acting[above] < 0:
            stretch.append(above)
            above = parent[above]
        stretches.setdefault(infoset, []).append(stretch[::-1])
    groups: list[set[int]] = []
    for paths in stretches.values():
        if len({len(path) for path in paths}) == 1:
            groups += map(set, zip(*paths, strict=True))
        else:
            groups.append({node for path in paths for node in path})
    classes: list[object] = [("own", n) if i < 0 else ("acting", i) for n, i in enumerate(acting)]
    changed = True
    while changed:
        changed = False
        for group in groups:
            names = {classes[n] for n in group}
            if len(names) > 1:
                one = min(names, key=str)
                classes = [one if name in names else name for name in classes]
                changed = True
    return classes
