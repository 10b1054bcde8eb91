"""What stands beside a verifier, in the scenario's own folder."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def beside(verifier: str, name: str) -> ModuleType:
    """The module `name`.py of the folder of `verifier`, which gives its own `__file__`.

    A verifier is loaded by its path and has no package to import from. Raises `ImportError` where
    there is no such file.
    """
    path = Path(verifier).with_name(f"{name}.py")
    if not path.is_file():
        raise ImportError(f"{path} is not there")
    spec = importlib.util.spec_from_file_location(
        f"webdyno_scenario_{path.parent.name}_{name}".replace("-", "_"), path
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # Where dataclasses look up the names in annotations.
    spec.loader.exec_module(module)
    return module
