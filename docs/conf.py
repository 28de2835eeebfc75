"""How Sphinx builds the site from docs/, notebooks/ and the pages at the top: ``make docs``."""

import sys
from importlib.metadata import version as version_of
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS / "_extensions"))
sys.path.insert(0, str(DOCS.parent))

project = "treeplex"
author = "The treeplex authors"
copyright = f"2026 {author}"
release = version = version_of("treeplex")

# Links between the folders are relative and work on a code host too: the site's root is the repository's.
root_doc = "docs/index"
include_patterns = ["docs/**.md", "notebooks/*.ipynb", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
exclude_patterns = [".*", "build", "treeplex", "tests", "examples", "cfr", "gadgets", "games", "seqform"]

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinxcontrib.bibtex",
    "command_line",
    "mathml",
    "notebook_files",
    "pictures",
    "word_links",
]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4
nb_execution_mode = "off"
nb_merge_streams = True
nb_code_prompt_show, nb_code_prompt_hide = "Show the solution", "Hide the solution"

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
numpydoc_show_class_members = False
autodoc_typehints = "none"
bibtex_bibfiles = ["references.bib"]
bibtex_cite_id = bibtex_footcite_id = "{key}"

suppress_warnings = ["ref.python"]  # fields of several classes have the same names
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # types in docstrings are words, not links

word_links_glossary = "docs/GLOSSARY"
word_links_bibliography = "docs/BIBLIOGRAPHY"
word_links_skipped = ["docs/index", "CHANGELOG"]
# Words of everyday English, whose first use on a page need not be the glossary's.
word_links_everyday = (
    "action average case counted exact gains game hand harm loss lower narrow program pure reach "
    "reference scale state strategy street stuck target top treeplex trend unit value variant visited"
)

highlight_language = "text"
html_theme = "furo"
html_title = "treeplex"
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_css_files = ["site.css"]
html_extra_path = ["_root"]
html_math_renderer = "mathml"
html_show_sourcelink = False
html_copy_source = False
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
