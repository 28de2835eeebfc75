"""Notebooks as files: each notebook's page begins with a link to its ``.ipynb``, which lies beside it."""

import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

FOLDER = "notebooks/"
LINK = (
    '<p class="notebook-file"><a href="{name}" download>Download this notebook</a> '
    '(<a href="{how}">how to open the course</a>)</p>\n'
)


def add_link(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Put the link to the file of a notebook before what stands on its page."""
    if page.startswith(FOLDER):
        how = app.builder.get_relative_uri(page, "docs/COURSE")
        context["body"] = LINK.format(name=f"{Path(page).name}.ipynb", how=how) + context["body"]


def copy_files(app: Sphinx, error: Exception | None) -> None:
    """Copy the notebooks of a site that was built beside their pages."""
    if error is None and app.builder.format == "html":
        for page in sorted(app.env.found_docs):
            if page.startswith(FOLDER):
                shutil.copyfile(app.env.doc2path(page), Path(app.outdir) / f"{page}.ipynb")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register both steps."""
    app.connect("html-page-context", add_link)
    app.connect("build-finished", copy_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
