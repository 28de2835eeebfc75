"""Links between the documents and the notebooks, and the headings that links can lead to."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.helpers.paths import ROOT

LINK = re.compile(r"\]\((?!\w+:)([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```\s*$|`[^`\n]*`", flags=re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """Return the documents and notebooks that people read."""
    texts = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "notebooks").glob("*.ipynb")]
    return sorted(texts)


def text_of(page: Path) -> str:
    """Return a page's Markdown; of a notebook that of its cells."""
    text = page.read_text(encoding="utf-8")
    if page.suffix != ".ipynb":
        return text
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
    return "\n\n".join("".join(cell["source"]) for cell in cells)


def links(page: Path) -> Iterator[tuple[str, Path, str]]:
    """Return a page's relative links: as written, the file, and the heading or an empty text."""
    for link in LINK.findall(CODE.sub("", text_of(page))):
        path, _, heading = link.partition("#")
        yield link, (page.parent / path).resolve() if path else page, heading


def headings(page: Path) -> set[str]:
    """Return the names of a page's headings as code hosts and the site make them."""
    text = re.sub(r"^```.*?^```\s*$", "", text_of(page), flags=re.MULTILINE | re.DOTALL)
    seen: Counter[str] = Counter()
    names = set()
    for title in re.findall(r"^#+ +(.+?)\s*$", text, flags=re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        names.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return names


def dead_links(page: Path) -> list[str]:
    """Return a page's links that lead to no file, or to no heading of it."""
    dead = []
    for link, target, heading in links(page):
        if not target.exists() or (heading and heading not in headings(target)):
            dead.append(link)
    return dead


def reached(start: Path) -> set[Path]:
    """Return all pages to which links lead from one, over any number of others."""
    found, ahead = {start}, [start]
    while ahead:
        for _, target, _ in links(ahead.pop()):
            if target in found or target.suffix not in (".md", ".ipynb") or not target.exists():
                continue
            found.add(target)
            ahead.append(target)
    return found
