"""Make the pictures of BROWSER.md: pages of `treeplex serve`, as Chromium draws them.

    python docs/make_browser_pictures.py

Needs the extra ``treeplex[browser]``, playwright, and /usr/bin/chromium; takes about a minute.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Page, sync_playwright

DOCS = Path(__file__).resolve().parent
FOLDER, CHROMIUM = DOCS / "browser", "/usr/bin/chromium"
COLOURS = 48
"""Of a picture: pages have few."""
ARGUMENTS = ["--no-sandbox", "--force-color-profile=srgb"]


class Shot(NamedTuple):
    """A picture of a page.

    Attributes
    ----------
    name : str
    address : str
    size : pair of int
        Of the window.
    from_top : str
        The element that stands at the top of the picture; the page's top if empty.
    typed : str
        Into the filter of hands.
    """

    name: str
    address: str
    size: tuple[int, int]
    from_top: str = ""
    typed: str = ""


SHOTS = (
    Shot("node", "/s/example-turn-turn-npz?line=cr50", (1000, 1060)),
    Shot("hands", "/s/example-turn-turn-npz?line=cr50&map=ev", (1000, 500), "#hands", "AKs"),
    Shot("beside", "/s/example-turn-turn-npz/beside?line=cr50&other-line=cr100", (1000, 900)),
    Shot("seat", "/s/example-turn-turn-npz/seat?seed=1&hand=7&seat=0&moves=c,c,r200", (1000, 1105)),
    Shot("report", "/r/faults-json", (1000, 700)),
    Shot("phone", "/s/example-turn-turn-npz?line=cr50", (390, 844)),
)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Solve the turn, examine a wrong solver, and yield the address of a server of both."""
    treeplex = [sys.executable, "-m", "treeplex"]
    subprocess.run(
        [*treeplex, "solve", "example:turn", "--iterations", "300", "--out", "turn.npz"],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    with (folder / "faults.json").open("w") as file:
        wrong = "treeplex.examples.solvers.own_reach:solve"
        subprocess.run(
            [*treeplex, "examine", wrong, "--games", "kuhn_poker", "--json"],
            cwd=folder,
            check=False,
            stdout=file,
        )
    with subprocess.Popen(
        [*treeplex, "serve", "example:turn=turn.npz", "faults.json"],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip().rstrip("/")
        finally:
            server.terminate()


def take(page: Page, address: str, shot: Shot) -> None:
    """Take a picture of a page."""
    width, height = shot.size
    page.set_viewport_size({"width": width, "height": height})
    page.goto(address + shot.address)
    if shot.typed:
        page.keyboard.press("/")
        page.keyboard.type(shot.typed)
    if shot.from_top:
        page.locator(shot.from_top).first.evaluate("element => element.scrollIntoView()")
    path = FOLDER / f"{shot.name}.png"
    page.screenshot(path=path)
    with Image.open(path) as drawn:
        drawn.quantize(COLOURS).save(path, optimize=True)


def main() -> None:
    """Make all pictures."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, served(Path(folder)) as address, sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_page()
        for shot in SHOTS:
            take(page, address, shot)
        browser.close()


if __name__ == "__main__":
    main()
