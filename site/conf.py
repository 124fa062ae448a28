"""Sphinx settings of the site. Pages are assembled by site/make/build.py; nothing here is fetched when a page is read."""

import os
import re
import sys
from pathlib import Path

root = Path(os.environ["BRISTLE_ROOT"])
sys.path.insert(0, str(root / "site" / "make"))

project = "Bristle"
author = "the Bristle authors"
version = release = ".".join(
    re.findall(r"VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", (root / "include/bristle/api.h").read_text())
)
copyright = "MIT licence"

extensions = ["myst_parser", "mathml"]
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 3
myst_dmath_allow_labels = False

html_theme = "furo"
html_title = f"Bristle {version}"
html_static_path = [str(root / "site" / "static")]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
templates_path = [str(root / "site" / "templates")]
html_math_renderer = "mathml"
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_show_search_summary = False  # summaries are fetched, which a page in a folder may not do
html_permalinks_icon = "#"
html_use_index = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b5394",
        "color-brand-content": "#0b5394",
        "color-brand-visited": "#5b3a8c",
        "color-foreground-muted": "#595c61",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7ab8f5",
        "color-brand-content": "#7ab8f5",
        "color-brand-visited": "#c3a6ea",
        "color-foreground-muted": "#9a9ca0",
    },
}
pygments_style = "default"
pygments_dark_style = "github-dark"
highlight_language = "text"
smartquotes = False  # --mass stays --mass, and quotes can be copied into a shell
exclude_patterns = []
