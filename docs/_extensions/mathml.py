"""Formulas as MathML, which browsers draw without scripts or a network; the converter is that of docutils."""

import re

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

LOG = logging.getLogger(__name__)
SPELLED = (
    (re.compile(r"\\[Bb]igg?[lr]?(?![A-Za-z])"), ""),
    (re.compile(r"\\iff(?![A-Za-z])"), r"\\Longleftrightarrow"),
    (re.compile(r"\\dots(?![A-Za-z])"), r"\\ldots"),
    (re.compile(r"\\([dt]?frac)\s*(\d)\s*(\d)"), r"\\\1{\2}{\3}"),
)
"""What docutils does not know, and how it is written instead; sizes of brackets are left to the browser."""


def mathml(node: nodes.math | nodes.math_block, as_block: bool) -> str:
    """Return a formula as MathML; one that cannot be converted is a warning and stays as it is written."""
    tex = node.astext()
    for pattern, replacement in SPELLED:
        tex = pattern.sub(replacement, tex)
    try:
        return tex2mathml(tex, as_block=as_block)
    except MathError as error:
        LOG.warning("formula %r: %s", node.astext(), error, location=node, type="mathml")
        return f"<code>{nodes.unescape(node.astext())}</code>"


def visit_inline(self: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a line."""
    self.body.append(mathml(node, as_block=False))
    raise nodes.SkipNode


def visit_block(self: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula of its own paragraph, in a box that scrolls where it is too wide."""
    self.body.append(f'<div class="math">{mathml(node, as_block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
