"""The scripts that draw a page's charts, kept from one report to the next: putting them together
takes more than three seconds of CPU time, and gives the same text for the same version."""

from __future__ import annotations

import functools
import re
from importlib.metadata import version

from webdyno.runtime.persistent_cache import kept


@functools.cache
def bundle() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, out of the package: no network."""
    # What is kept becomes part of a page, as code.
    return kept(f"vega-{version('vl-convert-python')}.js", _put_together)


def _put_together() -> str:
    import vl_convert

    script: str = vl_convert.javascript_bundle()  # type: ignore[call-arg]
    return re.sub(r"</(script)", r"<\\/\1", script, flags=re.IGNORECASE)
