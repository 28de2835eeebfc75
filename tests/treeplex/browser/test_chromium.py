"""Pages in a real browser, without a window: numbers, keys, links, and what a page must not do."""

import pytest

from tests.helpers.chromium import opened, told

LEDUC = "leduc_poker(ranks=2,raises=1)"
NAME = "leduc_poker-ranks-2-raises-1"
RIVER = "example:river"


@pytest.mark.seconds(20)
def test_numbers_on_the_page_are_those_of_the_json(serve, browser):
    server = serve(RIVER)
    with opened(browser) as page:
        page.goto(f"{server}s/example-river?line=c")
        found = told(page, "/s/example-river.json?line=c")
        shares = page.eval_on_selector_all("#moves data", "all => all.map(one => Number(one.value))")
        assert shares == found["overall"]
        texts = page.eval_on_selector_all("#moves data", "all => all.map(one => one.textContent)")
        assert texts == [f"{100 * share:.1f}%" for share in found["overall"]]
        titles = page.eval_on_selector_all(".grid tbody td", "all => all.map(one => one.title)")
        wanted = [
            f"{one['hand']}: "
            + ", ".join(
                f"{name} {100 * p:.1f}%"
                for name, p in zip(found["action_names"], one["frequencies"], strict=True)
            )
            for one in found["classes"]
        ]
        assert titles == wanted
        proof = told(page, "/s/example-river/proof.json")
        assert f"{proof['exploitability'] / 100:.2e}"[:4] in page.inner_text("#main")


@pytest.mark.seconds(10)
def test_keys_alone_walk_a_line_and_back(serve, browser):
    server = serve(LEDUC)
    with opened(browser) as page:
        page.goto(f"{server}s/{NAME}")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.textContent") == "check"
        page.keyboard.press("Enter")
        page.wait_for_url("**?line=c")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.wait_for_url("**?line=cc/")
        assert "1 card to come" in page.inner_text("#here")
        page.keyboard.press("ArrowLeft")
        assert page.evaluate("document.activeElement.textContent") == "Q"
        page.keyboard.press("Enter")
        page.wait_for_url("**?line=cc/&board=Q")
        page.keyboard.press("Backspace")
        page.wait_for_url("**?line=cc/")
        page.keyboard.press("Backspace")
        page.wait_for_url("**?line=c")
        page.go_back()
        page.wait_for_url("**?line=cc/")
        page.keyboard.press("Tab")  # the first stop is the link past the head
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content"


@pytest.mark.seconds(10)
def test_keys_alone_walk_two_nodes_beside_each_other(serve, browser):
    server = serve(LEDUC, "coin_toss")
    with opened(browser) as page:
        page.goto(f"{server}s/{NAME}?line=c")
        page.keyboard.press("b")
        page.wait_for_url("**/beside?line=c")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.closest('.side').querySelector('h2').id") == "herefirst"
        page.focus("#movessecond a")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.wait_for_url("**/beside?line=c&other-line=cr")
        boxes = page.eval_on_selector_all(
            ".side", "all => all.map(one => one.getBoundingClientRect().toJSON())"
        )
        assert boxes[0]["top"] == boxes[1]["top"]
        page.keyboard.press("Backspace")
        page.wait_for_url("**/beside?other-line=cr")
        page.goto(f"{server}s/coin_toss")
        page.keyboard.press("b")
        page.wait_for_url("**/s/coin_toss/beside")


@pytest.mark.seconds(10)
def test_keys_alone_play_a_hand_to_its_end(serve, browser):
    server = serve(LEDUC)
    with opened(browser) as page:
        page.goto(f"{server}s/{NAME}/seat?seed=1&hand=1&seat=0")
        assert page.locator("table").count() == 0
        page.keyboard.press("ArrowLeft")  # the last action
        assert page.evaluate("document.activeElement.textContent") == "r bet 2"
        page.keyboard.press("Enter")
        page.wait_for_url("**&moves=r")
        assert "the solution calls 2" in page.inner_text("#main")
        page.keyboard.press("Backspace")
        page.wait_for_url("**/seat?seed=1&hand=1&seat=0")
        page.go_back()
        page.wait_for_url("**&moves=r")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        page.wait_for_url("**&moves=r,r")
        assert "The hand is over" in page.inner_text(".outcome")
        shown = "all => all.map(one => one.dataset.v === '' ? null : Number(one.dataset.v))"
        found = told(page, page.url.replace("/seat?", "/seat.json?"))
        wanted = [action["value"] for one in found["decisions"] for action in one["actions"]]
        assert page.eval_on_selector_all(".judged td:nth-child(3)", shown) == wanted
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.textContent") == "Next hand"
        page.keyboard.press("Enter")
        page.wait_for_url("**/seat?seed=1&hand=2&seat=0")


@pytest.mark.seconds(10)
def test_hands_are_sorted_and_filtered_without_a_request(serve, browser):
    server = serve(RIVER)
    with opened(browser) as page:
        page.goto(f"{server}s/example-river?line=cr50")
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.keyboard.press("/")
        page.keyboard.type("AKs here")
        rows = "all => all.filter(one => !one.hidden).map(one => one.cells[0].textContent)"
        assert page.eval_on_selector_all("#table tbody tr", rows) == ["AcKc", "AdKd", "AhKh"]
        assert page.inner_text("#count") == "3 of 1081 shown"
        page.keyboard.press("Escape")
        assert page.inner_text("#count") == "1081 of 1081 shown"
        page.click("#table thead th:nth-child(2) button")
        weights = page.eval_on_selector_all(
            "#table tbody tr", "all => all.map(one => Number(one.cells[1].dataset.v))"
        )
        assert weights == sorted(weights, reverse=True)
        assert page.get_attribute("#table thead th:nth-child(2)", "aria-sort") == "descending"
        page.click(".grid td[data-class='QQ']")
        assert page.locator(".grid td.chosen").get_attribute("data-class") == "QQ"
        assert -1 < page.locator("#hands").bounding_box()["y"] < 450  # scrolled by whole pixels
        assert page.input_value("#filter") == "QQ"
        totals = page.locator("#table tfoot tr:visible")
        assert [one.get_attribute("data-total") for one in totals.all()] == ["QQ"]
        assert {*asked} <= {f"{server}static/icon.svg"}  # which browsers ask for when they like


@pytest.mark.seconds(10)
def test_a_deep_link_opens_from_cold(serve, browser):
    server = serve(LEDUC)
    with opened(browser) as page:
        page.goto(f"{server}s/{NAME}?line=cc/c&board=K")
        assert page.inner_text("#here") == "Board K, after check, check; check: player 1 acts"
        steps = page.eval_on_selector_all(
            ".strip .taken", "all => all.map(one => one.textContent.split(' ')[0])"
        )
        assert steps == ["check", "check", "check"]
        page.click("text=player 1 >> nth=0")
        page.wait_for_url("**?line=c")


@pytest.mark.seconds(15)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_is_wider_than_a_phone(scheme, serve, browser):
    server = serve(RIVER, LEDUC, "coin_toss")
    places = ("", "s/example-river?line=cr50", "s/example-river?map=ev", f"s/{NAME}?line=cc/", "s/coin_toss")
    places += ("s/example-river/beside?line=c&other-line=cr50", "s/coin_toss/beside?other-line=:Play")
    places += (f"s/{NAME}/seat?moves=r,r", f"s/{NAME}/seat", "s/example-river/train?action=c")
    with opened(browser, 390, color_scheme=scheme, reduced_motion="reduce", forced_colors="none") as page:
        for place in places:
            page.goto(f"{server}{place}")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            unnamed = "all => all.filter(one => !one.textContent.trim() && !one.labels?.length).length"
            assert page.eval_on_selector_all("a, button, input", unnamed) == 0
            levels = page.eval_on_selector_all("h1, h2, h3", "all => all.map(one => Number(one.tagName[1]))")
            assert levels[0] == 1
            assert 1 not in levels[1:]
            assert page.eval_on_selector_all("table:not(:has(caption))", "all => all.length") == 0
            bare = "all => all.filter(one => one.rows.length > 3 && !one.rows[1].querySelector('th')).length"
            assert page.eval_on_selector_all("table", bare) == 0
            ids = page.eval_on_selector_all("[id]", "all => all.map(one => one.id)")
            assert len(ids) == len({*ids})
    with opened(browser, 390, forced_colors="active") as page:
        page.goto(f"{server}s/example-river?line=cr50")
        assert not page.is_visible(".grid svg >> nth=0")
        assert page.inner_text(".grid .letter >> nth=0") in "fcr12"


@pytest.mark.seconds(10)
def test_without_its_script_a_page_says_the_same(serve, browser):
    server = serve(RIVER)
    with opened(browser, java_script_enabled=False) as page:
        page.goto(f"{server}s/example-river?line=c")
        assert page.locator("#table tbody tr").count() == 1081
        page.click("#moves a >> nth=0")
        assert "?line=" in page.url
