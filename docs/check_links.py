"""Find dead links within a built site: ``python docs/check_links.py build/docs``."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """A page's links and the places that links can lead to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what an element links to, and its own names."""
        for name, value in attrs:
            if value and (name == "src" or (name == "href" and tag != "base")):
                self.links.add(value)
            elif value and name in ("id", "name"):
                self.places.add(value)


def dead_links(site: Path) -> list[str]:
    """Return one line for each link of a site that leads nowhere within it."""
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    dead = []
    for path, page in pages.items():
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            place = unquote(parts.fragment)
            if not target.is_file() or (place and target in pages and place not in pages[target].places):
                dead.append(f"{path.relative_to(site.resolve())}: {link}")
    return dead


def main() -> int:
    """Check the site that is named on the command line."""
    site = Path(sys.argv[1])
    dead = dead_links(site)
    print("\n".join(dead) or f"{site}: no dead links")
    return int(bool(dead))


if __name__ == "__main__":
    sys.exit(main())
