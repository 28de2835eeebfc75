"""Links from plain text: the first use of each word of the glossary on a page, and every cited paper.

Pages and notebooks stay plain Markdown. Words are the first column of the glossary's tables. Papers are the
entries of the bibliography, found by names and year: "Brown and Sandholm (2017)", "Lanctot et al. 2009".
"""

import re
from collections.abc import Iterator
from itertools import chain, groupby
from typing import NamedTuple

from docutils import nodes
from paper_patterns import pattern_of
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

CLOSED = (nodes.reference, nodes.title, nodes.literal, nodes.FixedTextElement, nodes.math, nodes.citation,
          addnodes.desc_signature, addnodes.literal_strong, addnodes.literal_emphasis)  # fmt: skip
"""Parts of a page in which no word becomes a link."""


class Target(NamedTuple):
    """What a text leads to: a place, its title, and whether only the first use on a page is a link."""

    page: str
    anchor: str
    title: str
    once: bool


def anchor_of(word: str) -> str:
    """Return a word's place in the glossary."""
    return "word-" + re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-")


def words_of(cell: str) -> list[str]:
    """Return the words that the first cell of a glossary's row explains, without symbols and remarks."""
    return [word.strip() for word in re.sub(r"\(.*?\)", "", cell).split(",") if word.strip()]


def mark_glossary(app: Sphinx, doctree: nodes.document) -> None:
    """Give each row of the glossary a place, and keep its words and meanings for other pages."""
    page = app.config.word_links_glossary
    if app.env.docname != page:
        return
    app.env.word_links = found = {}
    twice = set()
    for row in doctree.findall(nodes.row):
        if isinstance(row.parent, nodes.thead):
            continue
        first, meaning = row.children[0], row.children[1].astext()
        text = "".join(
            n.astext() for n in first.findall(nodes.Text) if not isinstance(n.parent, nodes.literal)
        )
        words = words_of(text)
        first["ids"].append(anchor_of(words[0]))
        twice |= {*words} & {*found}
        found.update({word: Target(page, anchor_of(words[0]), meaning, once=True) for word in words})
    for word in twice.union(app.config.word_links_everyday.split()):
        found.pop(word, None)


def papers(app: Sphinx) -> Iterator[tuple[str, Target]]:
    """Return each paper's expression and its place in the bibliography."""
    for cited in app.env.get_domain("cite").citations:
        title = cited.entry.fields["title"].replace("{", "").replace("}", "")
        place = Target(cited.bibliography_key.docname, cited.citation_id, title, once=False)
        yield pattern_of(cited.entry), place


class LinkWords(SphinxPostTransform):
    """Replace words and papers in a page's text by links."""

    default_priority = 900
    formats = ("html",)

    def run(self, **_: object) -> None:
        """Change the page in place."""
        if self.env.docname in {*self.config.word_links_skipped, self.config.word_links_glossary}:
            return
        words: dict[str, Target] = self.env.word_links
        cited = [*papers(self.app)]
        several = sorted(map(re.escape, words), key=len, reverse=True)
        first = "|".join(f"[{w[0]}{w[0].upper()}]{w[1:]}" for w in several)
        expressions = [*(f"({pattern})" for pattern, _ in cited), f"({first})s?"]
        self.pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(expressions)})(?![\w-])")
        self.cited, self.words, self.seen = [place for _, place in cited], words, set()
        _join(self.document)
        for text in [*self.document.findall(nodes.Text)]:
            if not _inside(text, CLOSED):
                text.parent.replace(text, [*self.pieces(text.astext())])

    def pieces(self, text: str) -> Iterator[nodes.Node]:
        """Return a text in pieces, its words and papers as links."""
        end = 0
        for match in self.pattern.finditer(text):
            target = self.target(match)
            if target is None or target.anchor in self.seen:
                continue
            yield nodes.Text(text[end : match.start()])
            yield self.link(match[0], target)
            end = match.end()
            if target.once:
                self.seen.add(target.anchor)
        yield nodes.Text(text[end:])

    def target(self, match: re.Match[str]) -> Target | None:
        """Return what a match leads to; a capital at the beginning of a sentence does not matter."""
        if match.lastindex <= len(self.cited):
            return self.cited[match.lastindex - 1]
        word = match[match.lastindex]
        return self.words.get(word) or self.words.get(word[0].lower() + word[1:])

    def link(self, text: str, target: Target) -> nodes.reference:
        """Return a text as a link."""
        page = self.app.builder.get_relative_uri(self.env.docname, target.page)
        found = nodes.reference(
            text, text, internal=True, refuri=f"{page}#{target.anchor}", reftitle=target.title
        )
        found["classes"].append("word" if target.once else "paper")
        return found


def _join(document: nodes.document) -> None:
    """Make one text of texts side by side, such as the lines of a paragraph."""
    for parent in document.findall(nodes.TextElement):
        groups = groupby(parent.children, key=lambda child: isinstance(child, nodes.Text))
        joined = [[nodes.Text("".join(group))] if texts else [*group] for texts, group in groups]
        parent[:] = [*chain.from_iterable(joined)]


def _inside(node: nodes.Node, kinds: tuple[type[nodes.Node], ...]) -> bool:
    """Return whether a node lies in one of some kinds."""
    while node.parent is not None:
        node = node.parent
        if isinstance(node, kinds):
            return True
    return False


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the configuration, the reading of the glossary and the transform."""
    app.add_config_value("word_links_glossary", "", "env", types=(str,))
    app.add_config_value("word_links_skipped", [], "env", types=(list,))
    app.add_config_value("word_links_everyday", "", "env", types=(str,))
    app.connect("doctree-read", mark_glossary)
    app.add_post_transform(LinkWords)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
