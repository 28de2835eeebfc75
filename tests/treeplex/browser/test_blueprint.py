"""Pages of sampled blueprints: every link leads to a page, and buckets are those of ``show``."""

import json
import re
from functools import cache

import pytest

from tests.helpers.cells import over
from tests.helpers.pages import client, numbers
from tests.helpers.sampled_blueprints import written_blueprint

LEDUC = "leduc_poker(suits_visible=true)"
FLOP = "flop_holdem(ranks=4,suits=2,raises=[0,1])"
TURN = "turn_holdem(ranks=4,suits=2,raises=[0,1,1])"
RHODE = "rhode_island(ranks=3,suits=2,raises=1)"
BUCKETS = {LEDUC: (None, 4), FLOP: (None, 6), TURN: (None, 5, 5), RHODE: (None, 5, 5)}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The files of a blueprint of each game, and of its abstraction, by the spec."""
    return {
        spec: written_blueprint(tmp_path_factory.mktemp("blueprint"), spec, counts)
        for spec, counts in BUCKETS.items()
    }


@pytest.fixture(scope="module")
def served(files):
    """A function from a spec to a client of its blueprint, and to the address of its pages."""

    @cache
    def call(spec):
        strategy, buckets = files[spec]
        asked = client(f"{spec}={strategy}", abstraction=buckets)
        (name,) = {*re.findall(r'<a href="(/s/[^"/]*)">', asked.get("/").text)}
        return asked, name

    return call


def stated(answer):
    assert answer.status_code == 200, answer.text
    return answer.json()


def links(text):
    return re.findall(r'href="(/[^"]*)"', text.replace("&amp;", "&"))


@pytest.mark.seconds(7)
@over([(LEDUC, 90), (FLOP, 120), (TURN, 120), (RHODE, 60)])
def test_every_link_leads_to_a_page(spec, most, served):
    asked, _ = served(spec)
    left, seen = ["/"], set()
    while left and len(seen) < most:
        address = left.pop(0)
        if address not in seen:
            seen.add(address)
            answer = asked.get(address)
            assert answer.status_code == 200, (address, answer.text)
            left += links(answer.text)


def test_pages_have_no_values(served):
    asked, name = served(LEDUC)
    page = asked.get(f"{name}?line=cc/").text
    assert "value" not in page.split("What is proved")[0].split("1 card to come")[1]
    rows = numbers(page).rows
    assert [card for card, _ in rows] == ["Kh", "Ks", "Qh", "Qs", "Jh", "Js"]
    for card, row in rows:
        assert row == stated(asked.get(f"{name}.json?line=cc/&board={card}"))["overall"]
    assert "map=ev" not in asked.get(f"{name}?line=c").text


@over([(FLOP, "", ""), (FLOP, "cc/", "AhKsQh"), (TURN, "cc/cc/", "AhKsQhJs"), (TURN, "c", "")])
def test_buckets_are_those_of_show(spec, line, board, served, files, capsys):
    from treeplex.cli.main import run

    asked, name = served(spec)
    query = "&".join(f"{key}={value}" for key, value in (("line", line), ("board", board)) if value)
    query = f"?{query}" if query else ""
    assert f"{name}/buckets{query}" in links(asked.get(f"{name}{query}").text)
    told = stated(asked.get(f"{name}/buckets.json{query}"))
    given = ["--abstraction", str(files[spec][1]), *(["--board", board] if board else [])]
    assert run(["show", spec, "--map", "buckets", *given, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed.pop("abstraction").endswith(told.pop("abstraction"))
    assert told == printed
    page = numbers(asked.get(f"{name}/buckets{query}").text)
    hands = page.rows[: len(told["hands"])]
    assert [row[:2] for _, row in hands] == [[one["bucket"], one["equity"]] for one in told["hands"]][::-1]
    assert page.rows[len(hands) :] == [
        (str(one["bucket"]), [one["hands"], one["equity"]]) for one in told["buckets"]
    ]
    played = {row[0]: {tuple(row[2:])} for _, row in hands}
    for _, row in hands:  # on one board, hands of a bucket play alike
        played[row[0]] |= {tuple(row[2:])}
    assert {len(ways) for ways in played.values()} == {1}
    assert len(played) == len(told["buckets"]) > 1


def test_a_hand_plays_in_its_bucket_as_on_the_page_of_its_node(served):
    asked, name = served(FLOP)
    there = "?line=cc/&board=AhKsQh"
    node, buckets = (
        re.findall(r'<th scope="row">(\w+)(?:<span[^>]*>[^<]*</span>)?</th>(.*)</tr>', asked.get(page).text)
        for page in (f"{name}{there}", f"{name}/buckets{there}")
    )
    plays = [
        {hand: re.findall(r'data-v="([^"]*)"', row)[-2:] for hand, row in rows if len(hand) == 4}
        for rows in (node, buckets)
    ]
    assert plays[0] == plays[1]
    assert len(plays[0]) == 10


def test_cells_name_the_buckets_of_their_hands(served):
    asked, name = served(FLOP)
    there = "?line=cc/&board=AhKsQh"
    found = stated(asked.get(f"{name}/buckets.json{there}"))["hands"]
    (aces,) = (one["bucket"] for one in found if one["hand"] in ("AsJs", "JsAs"))
    assert f'title="AJs: 1 in bucket {aces}"' in asked.get(f"{name}/buckets{there}").text
    assert '<td class="gone" data-class="KK"' not in asked.get(f"{name}/buckets").text


@over(
    [
        (FLOP, "?line=cc/", "must have 3 cards, got 0"),
        (FLOP, "?line=x", "has no betting line 'x'"),
        (FLOP, "?map=equity", "the page of buckets has no map, got equity"),
        (LEDUC, "?line=c", "buckets are of a sampled blueprint of hold'em, got strategy"),
    ]
)
def test_what_has_no_buckets(spec, query, says, served):
    asked, name = served(spec)
    for kind in ("", ".json"):
        answer = asked.get(f"{name}/buckets{kind}{query}")
        assert (answer.status_code, answer.text.count("\n")) == (400, 1)
        assert says in answer.text
    assert (f"{name}/buckets" in links(asked.get(name).text)) == (spec == FLOP)


def test_only_blueprints_have_buckets():
    with client("coin_toss") as asked:
        answer = asked.get("/s/coin_toss/buckets")
        assert (answer.status_code, answer.text.count("\n")) == (400, 1)
        assert "buckets" not in asked.get("/s/coin_toss").text


def test_two_sides_have_json_where_both_are_shown(served):
    asked, name = served(LEDUC)
    shown, due = (asked.get(f"{name}/beside?other-line={line}").text for line in ("c", "cc/"))
    assert (shown.count("JSON of both"), due.count("JSON of both")) == (1, 0)
