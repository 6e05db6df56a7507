"""The pages of docs/ as a site that needs no network, when it is built or when it is read: `make docs`."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent)]  # the sources beside these pages, installed or not

from balance.foundation import __version__  # noqa: E402

project = "balance"
author = "the authors of balance"
copyright = "MIT licence"
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_click",
    "commands",
    "pages",
    "experiment_keys",
    "table_columns",
    "gallery",
]
# tools/notebooks writes the pages of the notebooks; without them Sphinx 9 warns, whatever `suppress_warnings` says.
logging.getLogger("sphinx.sphinx.directives.other").addFilter(
    lambda record: getattr(record, "subtype", "") != "empty_glob"
)
exclude_patterns = ["_build", "_ext", "_static"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints = "none"  # docstrings say types, with shapes and units
default_role = "literal"  # a name in single backticks in a docstring
numpydoc_show_class_members = False
python_use_unqualified_type_names = True

smartquotes = False  # they would make a dash of the two before an option

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_title = f"balance {__version__}"
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
