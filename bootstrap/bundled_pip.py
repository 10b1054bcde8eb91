"""pip without `ensurepip`, which takes as long as all other packages together."""

from __future__ import annotations

import sysconfig
import zipfile
from pathlib import Path


def wheel() -> Path | None:
    """The wheel of pip that came with this Python; None where it lies elsewhere, or none came."""
    try:
        import ensurepip  # Debian has it in a package of its own.
    except ImportError:
        return None
    # Debian and Fedora keep it in a folder of their own.
    chosen = sysconfig.get_config_var("WHEEL_PKG_DIR")
    own = Path(ensurepip.__file__).with_name("_bundled")
    folders = [Path(chosen), own] if chosen else [own]
    name = f"pip-{ensurepip.version()}-py3-none-any.whl"
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def unpack(wheel: Path, site: Path) -> None:
    """Put pip into `site`, a folder of packages, for Python to compile what it uses of it."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
