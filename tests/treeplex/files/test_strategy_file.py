"""Strategy files: what goes out comes back bit by bit, what is wrong is named, nothing is half-written."""

import csv
import json
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.cells import over
from tests.helpers.profiles import random_profile
from treeplex import check, load, write
from treeplex.files.completion import MISSING, complete_table
from treeplex.files.strategy_rows import COLUMNS
from treeplex.files.strategy_tables import SUFFIXES, check_table, read_table
from treeplex.games.formats.specs import load_game
from treeplex.games.zoo.random_game import random_game
from treeplex.seqform.certify.certificate import certify
from treeplex.seqform.forms.profile import Profile
from treeplex.seqform.forms.sequence_form import tree_form
from treeplex.seqform.forms.treeplex import Treeplex
from treeplex.seqform.trees.game_tree import build_tree

SPOT = "small_holdem"


def read_on(path, form, missing="error"):
    """Read a strategy on a form without its game."""
    return complete_table(read_table(path), form, missing, name=str(path)).strategy


def form_of_keys(first, second, actions):
    """A form whose players have these infosets, with the same actions at each."""
    treeplexes = []
    for keys in (first, second):
        begin = 1 + len(actions) * np.arange(len(keys))
        labels = ("", *actions * len(keys))
        treeplexes.append(Treeplex(begin, begin + len(actions), 0 * begin, keys, labels))
    return SimpleNamespace(treeplexes=tuple(treeplexes))


@pytest.fixture(scope="module")
def kuhn():
    return load("kuhn_poker").form


@pytest.fixture
def rows(kuhn):
    """The uniform profile of Kuhn poker as rows of text."""
    uniform = Profile(kuhn.treeplexes, tuple(t.uniform() for t in kuhn.treeplexes))
    return [
        {key: str(cell) for key, cell in row.items()} for row in uniform.table().to_dict(orient="records")
    ]


@pytest.fixture
def written(tmp_path):
    """A function that writes rows as CSV, JSON or Parquet and returns the path."""

    def to_file(rows, suffix=".csv"):
        path = tmp_path / f"strategy{suffix}"
        if suffix == ".json":
            path.write_text(json.dumps(rows), encoding="utf-8")
        elif suffix == ".parquet":
            pd.DataFrame(rows).to_parquet(path, index=False)
        else:
            with path.open("w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, fieldnames=list(rows[0]))
                writer.writeheader()
                writer.writerows(rows)
        return path

    return to_file


@over(SUFFIXES, ["kuhn_poker", "dummy_pennies", SPOT])
def test_what_is_written_is_read_back(suffix, spec, tmp_path):
    form = load(spec).form
    profile = random_profile(form, 7)
    path = tmp_path / f"strategy{suffix}"
    write(profile, path)
    again = read_on(path, form)
    for read, own in zip(again.behaviour, profile.behaviour, strict=True):
        np.testing.assert_array_equal(read, own)
    assert list(again.table().columns) == COLUMNS


@given(seed=st.integers(0, 10**6), suffix=st.sampled_from([*SUFFIXES]))
def test_random_games_and_strategies_come_back_bit_by_bit(tmp_path_factory, seed, suffix):
    form = tree_form(build_tree(random_game(seed, depth=5)))
    profile = random_profile(form, seed)
    path = tmp_path_factory.mktemp("strategy") / f"random{suffix}"
    write(profile, path)
    for read, own in zip(read_on(path, form).behaviour, profile.behaviour, strict=True):
        np.testing.assert_array_equal(read, own)


@over(SUFFIXES)
def test_order_and_further_columns_are_free(suffix, kuhn, rows, written):
    shuffled = [{"comment": "free", **dict(reversed(row.items()))} for row in reversed(rows)]
    profile = read_on(written(shuffled, suffix), kuhn)
    for b, t in zip(profile.behaviour, kuhn.treeplexes, strict=True):
        np.testing.assert_array_equal(b, t.uniform())


def test_numbers_in_json_may_be_numbers(kuhn, rows, written):
    typed = [{**row, "player": int(row["player"]), "probability": float(row["probability"])} for row in rows]
    profile = read_on(written(typed, ".json"), kuhn)
    assert profile.behaviour[0].tolist() == kuhn.treeplexes[0].uniform().tolist()


def test_spreadsheets_may_mark_the_encoding(kuhn, rows, written):
    path = written(rows)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert read_on(path, kuhn).behaviour[1].tolist() == kuhn.treeplexes[1].uniform().tolist()


def test_few_digits_are_normalised(kuhn, rows, written):
    rows[0]["probability"], rows[1]["probability"] = "0.3333", "0.6666"
    profile = read_on(written(rows), kuhn)
    assert profile.behaviour[0][1] == pytest.approx(0.3333 / 0.9999, rel=1e-15)
    assert profile.behaviour[0][1] + profile.behaviour[0][2] == 1.0


def test_the_two_compilers_use_the_same_keys():
    for spec in ("kuhn_poker", "leduc_poker", SPOT):
        public, explicit = load(spec).form, tree_form(build_tree(load_game(spec)))
        for a, b in zip(public.treeplexes, explicit.treeplexes, strict=True):
            assert set(a.infosets) == set(b.infosets)
            assert {(a.infosets[i], x) for i, x in zip(a.infoset_of[1:], a.actions[1:], strict=True)} == {
                (b.infosets[i], x) for i, x in zip(b.infoset_of[1:], b.actions[1:], strict=True)
            }


def test_a_strategy_written_by_another_program(tmp_path):
    """Kuhn's equilibrium with alpha 1/3, written by hand."""
    first, second = (
        {"J": (1 / 3, 0), "Q": (0, 2 / 3), "K": (1, 1)},
        {"J": (1 / 3, 0), "Q": (0, 1 / 3), "K": (1, 1)},
    )
    lines = ["player,infoset,action,probability"]
    for card in "JQK":
        for player, line, odds in (0, "", first), (1, "c", second):
            lines += [
                f"{player},{card}:{line},c,{1 - odds[card][0]}",
                f"{player},{card}:{line},r,{odds[card][0]}",
            ]
        for player, line, odds in (0, "cr", first), (1, "r", second):
            lines += [
                f"{player},{card}:{line},f,{1 - odds[card][1]}",
                f"{player},{card}:{line},c,{odds[card][1]}",
            ]
    path = tmp_path / "kuhn.csv"
    path.write_text("\n".join(lines))
    result = check("kuhn_poker", path)
    assert result.lower <= -1 / 18 <= result.upper
    assert result.nash_conv < 1e-12


def corrupted(rows, change):
    rows = [dict(row) for row in rows]
    change(rows)
    return rows


def test_an_action_of_other_infosets_is_none_of_the_last(tmp_path):
    game, path = "random_game(seed=3,depth=4,actions=3)", tmp_path / "s.csv"
    write(random_profile(load(game).form, 1), path, game=game)
    with path.open("a") as file:
        file.write("1,:ba*,c,0.0\n")
    with pytest.raises(ValueError, match=r"player 1 has no action 'c' at infoset ':ba\*'"):
        check(game, path)


@over(
    SUFFIXES,
    [
        (lambda r: r.pop(3), "'r' at 'Q:' is missing"),
        (lambda r: r.append(r[5]), "'r' at 'K:' appears twice"),
        (lambda r: r[0].update(probability="-1e-9"), "row 1: .*between 0 and 1, got '-1e-09|-1e-9'"),
        (lambda r: r[1].update(probability="nan"), "row 2: .* got 'nan'"),
        (lambda r: r[1].update(probability="inf"), "row 2: .* got 'inf'"),
        (lambda r: r[1].update(probability="1e308"), "row 2: .* got '1e308'"),
        (lambda r: r[1].update(probability=""), "row 2: .* got ''"),
        (lambda r: r[1].update(probability="half"), "row 2: .* got 'half'"),
        (lambda r: r[1].update(probability="0.49"), "'J:' must sum to 1 within"),
        (lambda r: r[2].update(player="2"), "row 3: player must be 0 or 1, got '2'"),
        (lambda r: r[2].update(player=""), "row 3: player must be 0 or 1, got ''"),
        (lambda r: r[2].update(infoset="A:"), "player 0 has no infoset 'A:'"),
        (lambda r: r[2].update(infoset="Q:c"), "player 0 has no infoset 'Q:c'"),
        (lambda r: r[2].update(action="f"), "player 0 has no action 'f' at infoset 'Q:'"),
        (lambda r: [row.pop("probability") for row in r], "probability missing"),
    ],
)
def test_bad_rows_are_named(suffix, change, says, kuhn, rows, written):
    path = written(corrupted(rows, change), suffix)
    with pytest.raises(ValueError, match=says) as error:
        read_on(path, kuhn)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


@over(
    [
        ("empty.csv", b""),
        ("binary.csv", bytes(range(256))),
        ("ragged.csv", b"player,infoset,action,probability\n0,J:,c,1\n0,J:,r,0,0,0\n"),
        ("quote.csv", b'player,infoset,action,probability\n0,"J:,c,1\n'),
        ("empty.json", b""),
        ("binary.json", bytes(range(256))),
        ("number.json", b"3"),
        ("words.json", b'["a", "b"]'),
        ("object.json", b'{"player": 0, "infoset": "J:", "action": "c", "probability": 1}'),
        ("nan.json", b'[{"player": 0, "infoset": "J:", "action": "c", "probability": NaN}]'),
        ("list.json", b'[{"player": 0, "infoset": "J:", "action": "c", "probability": [1]}]'),
        (
            "digits.json",
            b'[{"player": 0, "infoset": "J:", "action": "c", "probability": 1' + b"0" * 5000 + b"}]",
        ),
        ("deep.json", b"[" * 200_000),
        ("empty.parquet", b""),
        ("binary.parquet", bytes(range(256))),
        ("magic.parquet", b"PAR1" + bytes(64) + b"PAR1"),
        ("missing.parquet", None),
        ("strategy.txt", b"player,infoset,action,probability\n"),
        ("missing.csv", None),
    ]
)
def test_what_is_no_strategy_file_is_refused_in_one_line(name, content, kuhn, tmp_path):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ValueError, match=name) as error:
        read_on(path, kuhn)
    assert "\n" not in str(error.value).strip()


def nested(rows):
    """Rows as other programs nest them: {player: {infoset: {action: probability}}}."""
    found = {"0": {}, "1": {}}
    for row in rows:
        held = found[row["player"]].setdefault(row["infoset"], {})
        held[row["action"]] = float(row["probability"])
    return found


def paired(infosets):
    return {key: [[action, p] for action, p in held.items()] for key, held in infosets.items()}


@over(
    [
        nested,
        lambda rows: list(nested(rows).values()),
        lambda rows: {player: paired(held) for player, held in nested(rows).items()},
        lambda rows: nested(rows)["0"] | nested(rows)["1"],
        lambda rows: paired(nested(rows)["0"] | nested(rows)["1"]),
        lambda rows: [{key: row[key] for key in COLUMNS[1:]} for row in rows],
    ]
)
def test_json_as_other_programs_nest_it(shape, kuhn, rows, tmp_path):
    rows[0]["probability"], rows[1]["probability"] = "0.25", "0.75"
    path = tmp_path / "nested.json"
    path.write_text(json.dumps(shape(rows)))
    profile = read_on(path, kuhn)
    assert profile.behaviour[0][1:3].tolist() == [0.25, 0.75]
    assert profile.behaviour[1].tolist() == kuhn.treeplexes[1].uniform().tolist()


@over(
    [
        ('{"J:": {"c": 0.5, "c": 0.5}}', "'c' appears twice"),
        ('{"0": {"J:": {"c": 0.5}}, "1": 3}', "infoset '1' has neither an object nor pairs"),
        ('{"J:": [["c", 0.5, 1]]}', "infoset 'J:' has neither an object nor pairs"),
        ('{"J:": [0.5, 0.5]}', "infoset 'J:' has neither"),
        ('{"J:": {"c": [0.5]}}', r"row 1: a probability must be between 0 and 1, got '\[0.5\]'"),
        ('{"2": {"J:": {"c": 0.5}}}', "neither player has an infoset '2'"),
        ('[{"J:": {"c": 1}}, {}, {}]', "needs columns"),
        ('[{"J:": {"c": 1}}, 3]', "neither rows nor infosets"),
        ('{"0": {"J:c": {"c": 1}}, "1": {}}', "player 0 has no infoset 'J:c'"),
        ("null", "neither rows nor infosets"),
        ("[]", "is missing"),
        ("{}", "is missing"),
    ]
)
def test_json_of_other_shapes_is_refused(content, says, kuhn, tmp_path):
    path = tmp_path / "nested.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=says) as error:
        read_on(path, kuhn)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_infosets_called_like_players_are_told_apart_by_depth(tmp_path):
    form = form_of_keys(("0", "1"), ("2",), ("a", "b"))
    path = tmp_path / "flat.json"
    path.write_text('{"0": {"a": 1, "b": 0}, "1": {"a": 0, "b": 1}, "2": [["a", 0.5], ["b", 0.5]]}')
    assert read_on(path, form).behaviour[0].tolist() == [1, 1, 0, 0, 1]
    path.write_text('{"0": {"0": {"a": 1, "b": 0}, "1": {"a": 0, "b": 1}}, "1": {"2": {"a": 1, "b": 0}}}')
    assert read_on(path, form).behaviour[1].tolist() == [1, 1, 0]


def test_carriage_returns_end_lines_too(kuhn, rows, written):
    path = written(rows)
    path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    assert read_on(path, kuhn).behaviour[0].tolist() == kuhn.treeplexes[0].uniform().tolist()


@over(SUFFIXES)
def test_texts_stay_texts(suffix, tmp_path):
    """Neither numbers nor what pandas takes for gaps in a table."""
    form = form_of_keys(
        ("007", "7", "1e3", "NA"), ("", "a,b", 'x"y', "ä\r\n"), ("nan", "NA", "null", "", "0", "\r", "a\rb")
    )
    profile = random_profile(form, 3)
    path = tmp_path / f"texts{suffix}"
    write(profile, path)
    for read, own in zip(read_on(path, form).behaviour, profile.behaviour, strict=True):
        np.testing.assert_array_equal(read, own)


@over(
    [
        lambda t: t.astype({"player": "int8"}),
        lambda t: t.astype({"player": str}),
        lambda t: t.astype(dict.fromkeys(COLUMNS[:3], "category")),
        lambda t: t.astype({"probability": "float32"}),
        lambda t: t.astype({"probability": "Float64"}),
        lambda t: t.assign(note=[[1, 2]] * len(t)),
        lambda t: t.set_index(COLUMNS[:3]),
        lambda t: t.drop(columns="player"),
    ]
)
def test_parquet_of_other_types(change, kuhn, tmp_path):
    uniform = Profile(kuhn.treeplexes, tuple(t.uniform() for t in kuhn.treeplexes))
    path = tmp_path / "kuhn.parquet"
    change(uniform.table()).to_parquet(path)
    for read, own in zip(read_on(path, kuhn).behaviour, uniform.behaviour, strict=True):
        np.testing.assert_array_equal(read, own)


def test_without_pyarrow_one_line_names_the_extra(kuhn, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    path = tmp_path / "kuhn.parquet"
    uniform = Profile(kuhn.treeplexes, tuple(t.uniform() for t in kuhn.treeplexes))
    for call in (
        lambda: check_table("parquet"),
        lambda: write(uniform, path),
        lambda: read_on(path, kuhn),
    ):
        with pytest.raises(ValueError, match=r"need pyarrow: pip install 'treeplex\[parquet\]'"):
            call()
    assert list(tmp_path.iterdir()) == []


def mutated(content, rng, text):
    """Return a file's bytes cut off, with bytes flipped or taken out, or with cells or lines exchanged."""
    content = bytearray(content)
    kind = rng.integers(5 if text else 3)
    if kind == 0:
        return bytes(content[: rng.integers(len(content))])
    if kind == 1:
        for place in rng.integers(len(content), size=rng.integers(1, 4)):
            content[place] ^= 1 << rng.integers(8)
        return bytes(content)
    if kind == 2:
        first = rng.integers(len(content))
        del content[first : first + rng.integers(1, 9)]
        return bytes(content)
    apart = b"," if kind == 3 else b"\n"
    parts = bytes(content).split(apart)
    first, second = rng.integers(len(parts), size=2)
    if rng.random() < 0.5:
        parts[first], parts[second] = parts[second], parts[first]
    else:
        odd = [b"NaN", b"-1", b"inf", b"1e999", b"null", b'"', b"{", b"\x00", b"\xff", b"0" * 5000]
        parts[first] = [*odd, parts[second]][rng.integers(len(odd) + 1)]
    return apart.join(parts)


@over(MISSING, SUFFIXES)
def test_broken_files_are_profiles_or_one_line(missing, suffix, kuhn, tmp_path):
    rng = np.random.default_rng(11)
    path = tmp_path / f"kuhn{suffix}"
    write(random_profile(kuhn, 1), path)
    content, complaints = path.read_bytes(), []
    for _ in range(100):
        path.write_bytes(mutated(content, rng, text=suffix != ".parquet"))
        try:
            certify(kuhn, read_on(path, kuhn, missing))
        except ValueError as error:
            complaints.append(str(error))
    assert all(str(path) in complaint for complaint in complaints)
    assert all(len(complaint.splitlines()) == 1 for complaint in complaints)
    assert 25 < len(complaints) < 100


@given(change=st.binary(min_size=1, max_size=1), data=st.data())
def test_flipped_bytes_in_parquet_never_change_a_strategy(tmp_path_factory, change, data):
    """Pages carry checksums, so that a byte that matters is noticed or the table says that it is another."""
    form = load("kuhn_poker").form
    path = tmp_path_factory.mktemp("strategy") / "kuhn.parquet"
    profile = random_profile(form, 1)
    write(profile, path)
    content = bytearray(path.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] = change[0]
    path.write_bytes(content)
    try:
        again = read_on(path, form)
    except ValueError:
        return
    for read, own in zip(again.behaviour, profile.behaviour, strict=True):
        np.testing.assert_array_equal(read, own)
