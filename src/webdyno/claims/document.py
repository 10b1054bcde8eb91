"""Findings as JSON; the schema is schemas/claims.schema.json, made from these classes."""

from __future__ import annotations

from collections.abc import Sequence

from webdyno.catalog.studies.published import PublishedManifest
from webdyno.claims.finding import Finding
from webdyno.claims.hashing import FASTEST_BYTES_PER_S
from webdyno.store.document import Document
from webdyno.store.record import Amount, Count, Record


class HashingSpeed(Record):
    """SHA-256 on one core, in bytes per second."""

    fastest_known: Amount
    """Of any processor."""
    here: Amount | None
    """Of this machine; null where no published table is of hashing."""


class ClaimsDocument(Document):
    """What the checks of one write-up's published figures say."""

    name: str
    """Of the published figures."""
    title: str
    """What was compared, in words."""
    source: str
    """Where they were published."""
    sha256_bytes_per_s: HashingSpeed
    """What hashing is judged by."""
    contradictions: Count
    """Findings whose outcome is `contradicts`."""
    findings: list[Finding]
    """What the checks found, the worst and surest first."""

    @classmethod
    def of(
        cls, manifest: PublishedManifest, findings: Sequence[Finding], here_bytes_per_s: float
    ) -> ClaimsDocument:
        """Of the findings about `manifest`; `here_bytes_per_s` is 0 where nothing was hashed."""
        speed = HashingSpeed(fastest_known=FASTEST_BYTES_PER_S, here=here_bytes_per_s or None)
        return cls(
            name=manifest.name,
            title=manifest.title,
            source=manifest.source,
            sha256_bytes_per_s=speed,
            contradictions=sum(one.outcome == "contradicts" for one in findings),
            findings=list(findings),
        )
