"""Pictures: each says in words what it shows, and is fetched when a reader comes near it.

The picture that a notebook's cell draws has no words of its own. It gets the titles of its figure, where the
cell's code spells them, else the paragraph before the cell, after the heading of the section.
"""

import re

from docutils import nodes
from sphinx.application import Sphinx

TITLE = re.compile(r"""title(?:\(|=)\s*r?(["'])((?:\\.|(?!\1).)+)\1""")
"""A title that a cell's code spells; one with values in it (an f-string) is not found."""
MOST = 300
"""Letters of a paragraph that are taken, to the end of a sentence."""


def describe(_: Sphinx, doctree: nodes.document) -> None:
    """Give every picture of a page words, and let it be loaded late."""
    for image in doctree.findall(nodes.image):
        image["loading"] = "lazy"
        if not image.get("alt"):
            image["alt"] = words_of(image)


def words_of(image: nodes.image) -> str:
    """Return what a picture of a cell shows; its file's name if it stands in no cell."""
    cell = image.parent
    while cell is not None and cell.get("nb_element") != "cell_code":
        cell = cell.parent
    if cell is None:
        return str(image["uri"])
    code = next((block.astext() for block in cell.findall(nodes.literal_block)), "")
    titles = [re.sub(r"\\(.)", r"\1", match[2]).replace("$", "") for match in TITLE.finditer(code)]
    return "; ".join(titles) or caption(cell)


def caption(cell: nodes.Element) -> str:
    """Return the heading above a cell and the beginning of the paragraph before it."""
    section = cell.parent
    before = section.children[: section.index(cell)]
    heading = next((child.astext() for child in before if isinstance(child, nodes.title)), "")
    text = next((child.astext() for child in reversed(before) if isinstance(child, nodes.paragraph)), "")
    sentences = re.findall(r".+?(?:[.:?!](?=\s)|$)\s*", " ".join(text.split()))
    kept = ""
    for sentence in sentences:
        if kept and len(kept) + len(sentence) > MOST:
            break
        kept += sentence
    return ": ".join(part for part in (heading, kept.strip()) if part)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the step."""
    app.connect("doctree-read", describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
