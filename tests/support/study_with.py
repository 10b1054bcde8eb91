"""The study of a stored run with some of its keys changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webdyno.store.stored_study import StoredStudy


def study_with(study: StoredStudy, keys: Mapping[str, Any]) -> StoredStudy:
    """`study` as it would be read if it had been stored with these `keys`."""
    return StoredStudy.model_validate({**study.as_stored(), **keys})
