"""How Sphinx makes the site from these pages: `make docs`.

Every page is plain Markdown, so that it reads as well on a code host and in the web laboratory (/guide/); only the
reference uses directives, because it is made from the code. index.md is the one list of pages: the navigation is made
from its headings and links.
"""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "site"))

project = "noughts"
project_copyright = author = "the noughts authors"
release = metadata.version("noughts")

extensions = [
  "myst_parser", "sphinx.ext.autodoc", "sphinx_click", "plain_docstrings",
  "contents", "modules", "http_reference",
]  # fmt: skip
exclude_patterns = ["_build", "site", "pictures/*.py"]
nitpicky = True
# What is not ours has no page here, and the site must not need the network to build: no inventory of Python's docs.
# Type variables have no page either, nor have private names, nor the types with which FastAPI is told how to read a
# question.
nitpick_ignore_regex = [
    (r"py:.*", r"(?!noughts\b).*"),
    (r"py:class", r"noughts\..*\.([A-Z]|_\w+|Event|Answer|Memory|Annotated|asked)|noughts\.web\.schema\..*"),
]

myst_heading_anchors = 4
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "ignore-module-all": True}
autodoc_typehints_format = "short"
toc_object_entries = False
smartquotes = False  # three dots are three empty cells
highlight_language = "text"
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "noughts"
html_static_path = ["site/static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_favicon = "../src/noughts/web/static/icon.svg"
html_theme_options: dict[str, Any] = {
    "light_css_variables": {"color-brand-primary": "#a02a60", "color-brand-content": "#a02a60"},
    "dark_css_variables": {"color-brand-primary": "#f291b5", "color-brand-content": "#f291b5"},
}
