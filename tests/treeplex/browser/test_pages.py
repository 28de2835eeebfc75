"""Pages and JSON of solutions: the numbers are those of ``show``, and what is no address is refused."""

import json
import re
from threading import Thread

import pytest

import treeplex as tp
from tests.helpers.cells import over
from tests.helpers.pages import client, numbers
from treeplex.browser import answers, next_cards, pages
from treeplex.browser.addresses import LONGEST_QUERY, Place
from treeplex.browser.hand_table import share_cell, value_cell, weight_text
from treeplex.browser.solutions import split_source
from treeplex.games.cards.cards import cards_text
from treeplex.pictures.hand_colours import frequency_text, value_text
from treeplex.pictures.hand_grid import ROUNDING
from treeplex.seqform.certify import board_values

LEDUC = "leduc_poker(ranks=2,raises=1)"
NAME = "leduc_poker-ranks-2-raises-1"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Strategy files of a small Leduc poker, as a table and on boards."""
    folder = tmp_path_factory.mktemp("strategies")
    found = tp.solve(LEDUC, "cfr+", iterations=20)
    tp.write(found, folder / "s.csv")
    tp.write(found, folder / "s.npz", game=LEDUC)
    return folder


@pytest.fixture(scope="module")
def asked(files):
    """A client of a game solved, a table, a strategy on boards, and games without hands."""
    with client(LEDUC, f"{LEDUC}={files / 's.csv'}", f"{LEDUC}={files / 's.npz'}", "coin_toss") as found:
        yield found


def stated(answer):
    assert answer.status_code == 200, answer.text
    return answer.json()


@over(["", "?line=c", "?line=cc/&board=K", "?line=cc/c&board=Q", "?line=cr&map=ev", "?line=r&map=strategy"])
def test_json_is_what_show_prints(query, asked, files, capsys):
    from treeplex.cli.main import run

    options = dict(part.split("=") for part in query[1:].split("&") if part)
    words = [word for name, value in options.items() for word in (NAMES[name], value)]
    for name, strategy in ((NAME, None), (f"{NAME}-s-csv", "s.csv"), (f"{NAME}-s-npz", "s.npz")):
        given = [] if strategy is None else ["--strategy", str(files / strategy)]
        assert run(["show", LEDUC, *words, *given, "--json"]) == 0
        printed = json.loads(capsys.readouterr().out)
        found = stated(asked.get(f"/s/{name}.json{query}"))
        if strategy is None:  # two runs take two times
            assert found.pop("seconds") > 0
            printed.pop("seconds")
        assert found == printed


NAMES = {"line": "--node", "board": "--board", "map": "--map"}


def test_a_page_has_the_numbers_of_the_json(asked):
    for query in ("", "?line=cc/&board=K", "?line=cr"):
        page = numbers(asked.get(f"/s/{NAME}{query}").text)
        told = stated(asked.get(f"/s/{NAME}.json{query}"))
        assert page.actions == told["overall"]
        values = stated(asked.get(f"/s/{NAME}.json{query}{'&' if query else '?'}map=ev"))
        by_class = {one["hand"]: one for one in told["classes"]}
        earned = {one["hand"]: one["value"] for one in values["classes"]}
        assert {name for name, _ in page.rows} == {*by_class}
        for name, (weight, value, _loss, *play) in page.rows:
            assert weight == by_class[name]["weight"]
            if weight:  # where a hand never comes, show says nothing of it
                assert play == pytest.approx(by_class[name]["frequencies"], abs=1e-12)
                assert value == pytest.approx(earned[name], abs=1e-12)


def test_a_strategy_on_boards_is_checked_once_for_all_its_nodes(files, monkeypatch):
    told = []
    monkeypatch.setattr(board_values, "check_strategy", lambda game, _: told.append(game.name))
    with client(f"{LEDUC}={files / 's.npz'}") as found:
        for query in ("?line=c", "?line=r&map=ev", "?line=cc/&board=K", "?line=cc/c&board=Q"):
            assert "<dt>value, chips</dt>" in found.get(f"/s/{NAME}-s-npz{query}").text
    assert told == [LEDUC]


def test_cells_are_written_from_numbers_alone():
    assert value_cell(-1 / 3, "ev", 8) == '<td data-v="-0.3333333333333333">-0.333</td>'
    assert value_cell(float("nan"), "equity", 8) == '<td data-v="">?</td>'
    assert share_cell(1.0) == '<td data-v="1.0">100.0%</td>'


def test_losses_are_those_of_a_check(asked, files):
    known = {(one.player, one.infoset): one.loss for one in tp.losses(LEDUC, files / "s.csv")}
    page = numbers(asked.get(f"/s/{NAME}-s-csv?line=c").text)
    found = {name: row[2] for name, row in page.rows}
    assert found == {hand: known.get((1, f"{hand}:c"), 0.0) for hand in "KQ"}
    assert max(found.values()) > 0


def test_every_page_says_what_is_proved(asked, files):
    result = tp.check(LEDUC, files / "s.csv")
    assert stated(asked.get(f"/s/{NAME}-s-csv/proof.json"))["nash_conv"] == result.nash_conv
    for query in ("", "?line=cc/", "?line=cc/&board=K"):
        text = asked.get(f"/s/{NAME}-s-csv{query}").text
        for said in ("method file", "proved</a>: best play wins player 0 between", "exploitability", "unit"):
            assert said in text


@over(["", "?line=c"])
def test_a_letter_in_a_cell_is_that_of_the_most_frequent_action(query, asked):
    text = asked.get(f"/s/{NAME}{query}").text
    letters = {name: letter for letter, name in re.findall(r'"letter">(.)</span><a [^>]*>([^<]*)</a>', text)}
    cells = re.findall(r'"letter" aria-hidden="true">(.)</span><span class="sr">: ([^<]*)</span>', text)
    assert cells
    for letter, told in cells:
        shares = {name: float(share) for name, share in re.findall(r"(\w[^,]*?) ([\d.]+)%", told)}
        assert letter == letters[max(shares, key=shares.get)], told


def test_cards_that_are_due_are_links(asked):
    text = asked.get(f"/s/{NAME}?line=cc").text
    assert "1 card to come" in text
    for rank in "KQ":
        assert f'href="/s/{NAME}?line=cc/&amp;board={rank}"' in text


@over(["", "-s-csv", "-s-npz"])
def test_next_cards_say_what_is_played_there(name, asked):
    page = numbers(asked.get(f"/s/{NAME}{name}?line=cc").text)
    assert [card for card, _ in page.rows] == ["K", "Q"]
    for card, row in page.rows:
        there = f"/s/{NAME}{name}.json?line=cc/&board={card}"
        assert row == [*stated(asked.get(there))["overall"], stated(asked.get(f"{there}&map=ev"))["mean"]]


def test_next_cards_that_take_long_are_told_on_a_page_of_their_own(asked, monkeypatch):
    whole = numbers(asked.get(f"/s/{NAME}?line=cc").text).rows
    monkeypatch.setattr(next_cards, "MOST_AT_ONCE", 1)
    with client(LEDUC) as found:
        assert f'href="/s/{NAME}/cards?line=cc"' in found.get(f"/s/{NAME}?line=cc").text
        rows = numbers(found.get(f"/s/{NAME}/cards?line=cc").text).rows
    assert rows == whole


@pytest.mark.seconds(5)
def test_hands_that_never_come_are_told():
    with client("example:river") as river:
        page = river.get("/s/example-river?line=cr50").text
        told = stated(river.get("/s/example-river.json?line=cr50"))
        pair, alone = (
            stated(river.get(f"/s/example-river{name}.json?map=ranges")) for name in ("/beside", "")
        )
    assert pair == [alone, alone]
    never = [one["hand"] for one in told["classes"] if not one["share"] > ROUNDING]
    assert never
    assert [name for name, state in numbers(page).classes if state == "never"] == never
    for why in ("never comes here", "hardly comes here"):
        rows = page.count(f"{why}</span></th>")
        assert (f"rows in grey, {rows}</dt>" in page) == (rows > 0)
    assert "grey: never comes here, as the strategy has played otherwise before" in page


RIVER = """
board = "Ks Th 7s 4d 2c"
pot = 100
stack = 200
ranges = ["AA:0.0000001,QQ,JJ:0.5", "KK,99"]
bets = [1.0]
raises = [1.0]
"""


def test_struck_classes_are_told_by_what_leaves_none(tmp_path):
    """Four aces on the board leave no class with an ace; of others the range has QQ and JJ alone."""
    (tmp_path / "r.toml").write_text(RIVER.replace("Ks Th 7s 4d", "As Ah Ad Ac"), "utf-8")
    with client(str(tmp_path / "r.toml")) as asked:
        (address,) = re.findall(r'<a href="(/s/[^"/]*)">', asked.get("/").text)
        page = asked.get(address).text
    grid = page.index('<table class="grid')
    for said in ("none with this board: AA, AKs, ", "none in the range of player 0: KK, KQs, "):
        assert 0 < page.index(f"grey and struck through, {said}") < grid
    for said in ("AKo: none with this board", "99: none in the range of player 0"):
        assert f'title="{said}"' in page
    gone = [name for name, state in numbers(page).classes if state == "gone"]
    assert {*gone} == {name for name, _ in numbers(page).classes} - {"QQ", "JJ"}


def test_a_start_says_nothing_of_play_before(tmp_path):
    """At a player's first decision a row is grey by the range alone, and no weight above 0 reads as 0."""
    (tmp_path / "r.toml").write_text(RIVER, "utf-8")
    with client(str(tmp_path / "r.toml")) as asked:
        (address,) = re.findall(r'<a href="(/s/[^"/]*)">', asked.get("/").text)
        page = asked.get(address).text
    assert "hardly comes here</span>" in page
    assert ">&lt;0.0001%</td>" in page
    assert 0 < numbers(page).rows[0][1][0] < 1e-6
    for said in ("never comes here", "played otherwise"):
        assert said not in page


def test_totals_of_classes_are_those_of_show(tmp_path):
    """A row a class of several hands, hidden until the table is filtered to it; of losses it tells none."""
    (tmp_path / "r.toml").write_text(RIVER, "utf-8")
    with client(str(tmp_path / "r.toml")) as asked:
        (address,) = re.findall(r'<a href="(/s/[^"/]*)">', asked.get("/").text)
        page = asked.get(address).text
        told, equity, ev = (
            stated(asked.get(f"{address}.json?map={map}"))["classes"] for map in ("strategy", "equity", "ev")
        )
    totals = re.findall(r'<tr hidden data-total="(\w+)"><th[^>]*>[^<]*</th>(.*)</tr>', page)
    found = {name: re.findall("<td>([^<]*)</td>", cells) for name, cells in totals}
    for one, two, three in zip(told, equity, ev, strict=True):
        numbers = [value_text(two["value"], "equity", 8), value_text(three["value"], "ev", 8)]
        play = [frequency_text(share) for share in one["frequencies"]]
        assert found[one["hand"]][1:3] == numbers
        assert found[one["hand"]][-len(play) :] == play
    assert found["QQ"][0] == weight_text(6.0)


@over(
    [
        ("", "pot 2 chips, nothing to call; stacks are unlimited"),
        ("?line=r", "pot 4 chips, 2 to call; stacks are unlimited"),
        ("?line=rc/", "pot 6 chips; stacks are unlimited"),
    ]
)
def test_pot_and_stacks_stand_at_every_node(query, line, asked):
    for name in ("", "-s-csv", "-s-npz"):
        assert f'<p class="chips">{line}</p>' in asked.get(f"/s/{NAME}{name}{query}").text


@over(
    [
        ("", "at the start: player 0 acts", "player 0 chooses:"),
        ("?line=cr", "after check, bet: player 0 acts", "player 0 chooses:"),
        ("?line=cc/", "after check, check: 1 card to come", ""),
        ("?line=rc/c&board=K", "Board K, after bet, call; check: player 1 acts", "player 1 chooses:"),
    ]
)
def test_lines_and_choices_are_told_in_words(query, heading, chooser, asked):
    for name in ("", "-s-csv", "-s-npz"):
        text = asked.get(f"/s/{NAME}{name}{query}").text
        assert f'<h2 id="here">{heading}</h2>' in text
        assert re.findall('<p class="chooses">([^<]*)</p>', text) == [chooser] * bool(chooser)


def test_values_of_hands_are_told_to_count_from_another_zero(asked):
    """At the start each player has put in an ante of 1 chip; after a bet and a raise player 0 has 3 in."""
    for query, player, put in (("", 0, 1), ("?line=cr", 0, 1), ("?line=rc/r&board=K", 1, 3)):
        text = asked.get(f"/s/{NAME}-s-csv{query}").text
        assert f"counts as lost what player {player} has put in before, {put} chips</dd>" in text


def test_columns_and_rows_of_the_proof_are_explained(asked):
    text = asked.get(f"/s/{NAME}-s-csv?line=c").text
    for column in ("weight, %", "value, chips", "loss, chips"):
        assert re.search(f'<dt>{column}</dt><dd class="meaning">[^<]*player 1', text)
    assert re.search('<dt>status</dt><dd>certified</dd><dd class="meaning">what was proved', text)


def test_games_without_hands_are_shown_by_public_states(asked):
    told = stated(asked.get("/s/coin_toss.json?line=:Play"))
    profile = tp.solve("coin_toss").profile
    (infoset,) = told["infosets"]
    assert infoset["play"] == pytest.approx(profile.action_probabilities(1, infoset["infoset"]))
    assert [one["move"] for one in told["next"]] == ["Heads", "Tails", "Forfeit"][: len(told["next"])]
    assert "Public state :Play" in asked.get("/s/coin_toss?line=:Play").text
    tossed = stated(asked.get("/s/coin_toss.json?line=:"))["infosets"]
    assert [(one["player"], one["infoset"]) for one in tossed] == [(0, "Heads:"), (0, "Tails:")]


@pytest.mark.seconds(2)
def test_push_or_fold_has_two_pages():
    with client("push_fold(stack=10)") as asked:
        first, second = (asked.get(f"/s/push_fold-stack-10{query}") for query in ("", "?line=push"))
        assert (first.status_code, second.status_code) == (200, 200)
        assert (
            numbers(second.text).actions
            == stated(asked.get("/s/push_fold-stack-10.json?line=push"))["overall"]
        )


@pytest.mark.seconds(12)
@over(
    [
        (LEDUC, 60),
        ("flop_holdem(ranks=4,suits=2,raises=[0,1])", 40),
        ("rhode_island(ranks=2,suits=3,raises=1)", 40),
        ("example:locked_river", 20),
        ("small_holdem", 60),
        ("goofspiel", 60),
        ("liars_dice(faces=2)", 60),
        ("example:night_crossing", 60),
    ]
)
def test_every_link_leads_to_a_page(spec, most):
    with client(spec) as asked:
        left, seen = ["/"], set()
        while left and len(seen) < most:
            address = left.pop(0)
            if address not in seen:
                seen.add(address)
                answer = asked.get(address)
                assert answer.status_code == 200, (address, answer.text)
                left += re.findall(r'href="(/[^"]*)"', answer.text.replace("&amp;", "&"))


@pytest.mark.seconds(6)
def test_the_folder_of_a_split_run_is_read_and_not_judged(tmp_path):
    spec = "rhode_island(ranks=2,suits=3,raises=1)"
    tp.solve(spec, store=tmp_path / "store", iterations=2, executor="serial")
    with client(str(tmp_path / "store"), f"{spec}={tmp_path / 'store'}") as asked:
        names = re.findall(r'<a href="/s/([^"/]*)">', asked.get("/").text)
        assert len(names) == 2
        for name in names:
            told = stated(asked.get(f"/s/{name}.json?line=c"))
            picture = tp.show(spec, "c", strategy=tmp_path / "store")
            assert told == picture.as_json()
            answer = asked.get(f"/s/{name}/proof.json")
            assert (answer.status_code, "nothing is proved here" in answer.text) == (404, True)
            assert "nothing here: treeplex check judges" in asked.get(f"/s/{name}").text


@pytest.mark.seconds(6)
def test_listed_flops_are_the_only_ones_that_come(tmp_path):
    spec = "no_limit_flop_holdem(flops=2)"
    tp.write(tp.solve(spec, "cfr+", form="boards", iterations=1), tmp_path / "s.npz")
    with client(f"{spec}={tmp_path / 's.npz'}") as asked:
        (name,) = re.findall(r'<a href="/s/([^"/]*)">', asked.get("/").text)
        assert "Hands are shown after the flop" in asked.get(f"/s/{name}").text
        flops = re.findall(r'board=(\w+)"', asked.get(f"/s/{name}?line=cc/").text)
        assert flops == [cards_text(cards) for cards, _ in tp.load(spec).game.flops]
        for flop in flops[::9]:
            assert asked.get(f"/s/{name}?line=cc/&board={flop}").status_code == 200


# two nodes beside each other


@over(
    [
        ("?line=c&other-line=r", ("?line=c", "?line=r")),
        ("?line=c&map=ev&other-line=", ("?line=c&map=ev", "?map=ev")),
        ("?line=cc/&board=K&other-board=Q", ("?line=cc/&board=K", "?line=cc/&board=Q")),
        (f"?line=c&other={NAME}-s-csv", ("?line=c", "-s-csv?line=c")),
        (f"?line=c&other={NAME}-s-npz&other-line=cr", ("?line=c", "-s-npz?line=cr")),
    ]
)
def test_two_nodes_are_those_of_their_own_pages(query, alone, asked):
    both = stated(asked.get(f"/s/{NAME}/beside.json{query}"))
    names, texts = [], []
    for place in alone:
        name, _, rest = place.rpartition("?")
        names.append(f"/s/{NAME}{name}")
        texts.append(asked.get(f"{names[-1]}?{rest}").text)
        assert both.pop(0) == stated(asked.get(f"{names[-1]}.json?{rest}"))
    page = asked.get(f"/s/{NAME}/beside{query}").text
    assert numbers(page).actions == [share for text in texts for share in numbers(text).actions]
    assert numbers(page).classes == [one for text in texts for one in numbers(text).classes]
    assert len(re.findall(r'id="([^"]*)"', page)) == len({*re.findall(r'id="([^"]*)"', page)})


def test_a_node_links_to_itself_beside_other_solutions_of_its_game(asked):
    text = asked.get(f"/s/{NAME}?line=c").text.replace("&amp;", "&")
    links = re.findall(r'href="([^"]*)" class="beside"', text)
    others = (f"&other={NAME}-s-csv", f"&other={NAME}-s-npz", "")
    assert links == [f"/s/{NAME}/beside?line=c{other}" for other in others]
    assert all(asked.get(link).status_code == 200 for link in links)


def test_links_of_one_side_leave_the_other(asked):
    text = asked.get(f"/s/{NAME}/beside?line=c&other-line=r").text.replace("&amp;", "&")
    for link in ("?line=cr&other-line=r", "?line=c&other-line=rr", "?line=c&map=ev&other-line=r"):
        assert (f'href="/s/{NAME}/beside{link}"' in text) == (link != "?line=c&other-line=rr")
    assert f'href="/s/{NAME}/beside?line=c&other-line="' in text


def test_public_states_stand_beside_each_other(asked):
    both = stated(asked.get("/s/coin_toss/beside.json?other-line=:Play"))
    assert both == [stated(asked.get(f"/s/coin_toss.json{query}")) for query in ("", "?line=:Play")]
    page = asked.get("/s/coin_toss/beside?other-line=:Play").text
    assert len(numbers(page).actions) == sum(len(row["play"]) for one in both for row in one["infosets"])


# what is kept


def test_an_answer_that_a_browser_has_is_not_sent_again(asked):
    first = asked.get(f"/s/{NAME}?line=c")
    tag = first.headers["etag"]
    again = asked.get(f"/s/{NAME}?line=c", headers={"If-None-Match": f'"other", W/{tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert asked.get(f"/s/{NAME}", headers={"If-None-Match": tag}).status_code == 200


def test_answers_are_kept_within_limits(monkeypatch):
    monkeypatch.setattr(answers, "MOST_KEPT", 3)
    monkeypatch.setattr(answers, "MOST_BYTES", 10)
    kept = answers.Kept()
    for number in range(5):
        kept.put(str(number), (b"1234", ""))
    assert [kept.get(str(number)) is not None for number in range(5)] == [False, False, False, True, True]
    kept.put("4", (b"12345678901", ""))
    assert kept.get("4") is None


def test_pages_are_asked_for_at_once(asked):
    addresses = [
        f"/s/{name}{query}" for name in (NAME, f"{NAME}-s-npz") for query in ("", "?line=c", "?line=r")
    ]
    codes = []
    threads = [
        Thread(target=lambda address=address: codes.append(asked.get(address).status_code))
        for address in 3 * addresses
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes == 18 * [200]


# what is refused


@over(
    [
        ("/s/nobody", 404, "there is no solution 'nobody'"),
        ("/s/nobody.json", 404, "there is no solution 'nobody'"),
        ("/s/nobody/proof.json", 404, "there is no solution"),
        ("/nothing", 404, "Not Found"),
        ("/s/", 404, "Not Found"),
        (f"/s/{NAME}/", 404, "Not Found"),
        (f"/s/{NAME}/proof.json?line=c", 400, "a proof has no query"),
        ("/static/pages.py", 404, "there is no file 'pages.py'"),
        ("/static/%2e%2e%2fpages.py", 404, "Not Found"),
        ("/static/..%2f..%2f..%2fetc%2fpasswd", 404, "Not Found"),
        ("/?line=c", 400, "the first page has no query"),
        (f"/s/{NAME}?line=zz", 400, "has no betting line 'zz': after '' it goes on as 'c', 'r'"),
        (f"/s/{NAME}?line=rf", 400, "nobody acts at the betting line 'rf': the hand is over"),
        (f"/s/{NAME}?line=%00%1b[31m", 400, r"has no betting line '\x00\x1b[31m'"),
        (f"/s/{NAME}?line=%ff%fe", 400, "has no betting line"),
        (f"/s/{NAME}?line=c&board=K", 400, "must have 0 cards, got 1"),
        (f"/s/{NAME}?line=cc/&board=A", 400, "the board must be ranks out of"),
        (f"/s/{NAME}?map=nope", 400, "map must be strategy, equity, ev, got 'nope'"),
        (f"/s/{NAME}?map=equity", 400, "equities are for hold'em"),
        (f"/s/{NAME}?line=c&line=r", 400, "an address has line once, got it twice"),
        (f"/s/{NAME}?strategy=/etc/passwd", 400, "an address has line, board, map, got 'strategy'"),
        (f"/s/{NAME}.json?map=buckets", 400, "map must be strategy, equity, ev, ranges, got 'buckets'"),
        (f"/s/{NAME}?line={'c' * LONGEST_QUERY}", 414, "a query has at most 4,000 characters"),
        (f"/s/{NAME}?line={'c' * 3_900}", 400, "has no betting line"),
        (f"/s/{NAME}/beside?other=nobody", 404, "there is no solution 'nobody'"),
        (f"/s/{NAME}/beside?other=coin_toss", 400, "two nodes are of one game, got"),
        (f"/s/{NAME}/beside?other-line=zz", 400, "has no betting line 'zz'"),
        (f"/s/{NAME}/beside?other-map=ev", 400, "an address has line, board, map, other, other-line, oth"),
        (f"/s/{NAME}?other=coin_toss", 400, "an address has line, board, map, got 'other'"),
        ("/s/coin_toss?line=nope", 400, "has no public state 'nope'"),
        ("/s/coin_toss?board=As", 400, "a board is of poker games"),
        ("/s/coin_toss?map=ev", 400, "maps are of hands"),
    ]
)
def test_what_is_no_address(address, code, says, asked):
    answer = asked.get(address)
    assert (answer.status_code, answer.text.count("\n")) == (code, answer.text.endswith("\n"))
    assert says in answer.text
    assert answer.headers["content-type"].startswith("text/plain")
    assert "etag" not in answer.headers


@over(["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "NONSENSE"])
def test_methods_that_change_things(method, asked):
    answer = asked.request(method, f"/s/{NAME}", content=b"x" * 1000)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")
    assert answer.text == f"the method must be GET or HEAD, got '{method}'\n"


def test_a_head_is_a_page_without_its_body(asked):
    answer, whole = asked.head(f"/s/{NAME}"), asked.get(f"/s/{NAME}")
    assert answer.status_code == 200
    assert answer.headers["etag"] == whole.headers["etag"]


@over(["evil.example", "evil.example:80", "127.0.0.1.evil.example", "EVIL.example", ""])
def test_hosts_of_others(host, asked):
    answer = asked.get("/", headers={"Host": host})
    assert answer.status_code == 400
    assert "the host must be 127.0.0.1, localhost, [::1]" in answer.text


@over(["localhost:8000", "[::1]:8000", "127.0.0.1", "LocalHost", "LOCALHOST:8000"])
def test_hosts_of_this_machine(host, asked):
    assert asked.get("/", headers={"Host": host}).status_code == 200


def test_every_answer_allows_nothing_from_elsewhere(asked):
    for address in ("/", f"/s/{NAME}", f"/s/{NAME}.json", "/static/browser.js", "/nothing", "/s/nobody"):
        headers = asked.get(address).headers
        assert headers["content-security-policy"] == "default-src 'self'"
        assert headers["x-content-type-options"] == "nosniff"


@over(["/", f"/s/{NAME}?line=cc/&board=K", "/s/coin_toss"])
def test_pages_have_no_script_and_no_style_within(address, asked):
    text = asked.get(address).text
    assert "style=" not in text
    assert "<style" not in text
    assert "onclick" not in text
    assert text.count("<script") == text.count('<script src="/static/browser.js" defer></script>') == 1
    assert text.count("<h1>") == 1
    assert '<html lang="en">' in text


def test_our_own_mistakes_are_one_line(monkeypatch, capsys):
    with client("kuhn_poker") as asked:
        monkeypatch.setattr(pages.NodePage, "content", lambda self: 1 / 0)
        answer = asked.get("/s/kuhn_poker")
    assert (answer.status_code, answer.text) == (
        500,
        "this page cannot be made; the server's terminal says why\n",
    )
    assert capsys.readouterr().err == "treeplex: /s/kuhn_poker?: ZeroDivisionError: division by zero\n"


# sources


@over(
    [
        ("kuhn_poker", ("kuhn_poker", None)),
        ("leduc_poker(ranks=5)", ("leduc_poker(ranks=5)", None)),
        ("leduc_poker(ranks=5)=a=b.csv", ("leduc_poker(ranks=5)", "a=b.csv")),
        ("no_limit_leduc(bets=[1/2,1])=s.npz", ("no_limit_leduc(bets=[1/2,1])", "s.npz")),
    ]
)
def test_sources(source, parts):
    assert split_source(source) == parts


def test_paths_of_games_and_stores_may_hold_an_equals_sign(tmp_path):
    game = tmp_path / "a=b.toml"
    assert split_source(f"{game}=s.csv") == (f"{tmp_path / 'a'}", "b.toml=s.csv")  # there is no such game
    game.touch()
    assert split_source(str(game)) == (str(game), None)
    assert split_source(f"{game}=s=t.csv") == (str(game), "s=t.csv")
    store = tmp_path / "st=1"
    store.mkdir()
    (store / "run.json").touch()
    assert split_source(str(store)) == (str(store), None)


def test_one_game_twice_has_two_names():
    with client("kuhn_poker", "kuhn_poker") as asked:
        assert (asked.get("/s/kuhn_poker").status_code, asked.get("/s/kuhn_poker-2").status_code) == (
            200,
            200,
        )


def test_an_address_is_written_as_it_is_read():
    place = Place("cr50/r100", "KsTh7s", "ev")
    assert place.page("x") == "/s/x?line=cr50/r100&board=KsTh7s&map=ev"
    assert Place().page("x") == "/s/x"
