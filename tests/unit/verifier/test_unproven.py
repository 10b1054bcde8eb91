"""`sha256-unproven` asks for two bytes, and says with its evidence that they prove nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.catalog import Catalog
from webdyno.trial.proof.prove import verifier_of
from webdyno.verifier import Breakdown, Mismatch, Sample, Verifier


def verifier(work: Path) -> Verifier:
    return verifier_of(Catalog().scenario("sha256-unproven"), {"n": 800}, work, 1)


def sample(body: bytes, status: int = 200, kind: str = "text/plain; charset=utf-8") -> Sample:
    return Sample(
        request="benchmark",
        variables={"n": "800"},
        status=status,
        headers=[("Content-Type", kind)],
        body=body,
        at_s=0.0,
        sent_s=0.0,
        answered_by_s=0.0,
    )


def test_the_load_asks_for_the_rounds_and_the_file_is_there(tmp_path: Path) -> None:
    prepared = verifier(tmp_path).prepare()
    assert prepared.variables["n"]["values"] == ["800"]
    assert Path(prepared.env["WEBDYNO_FILE"]).stat().st_size == 16384


def test_two_bytes_pass_and_are_called_what_they_are(tmp_path: Path) -> None:
    found = verifier(tmp_path)
    found.audit([sample(b"OK"), sample(b"OK")])
    assert "2 answers of the load are OK, which proves nothing" in found.evidence[-1].claim


@pytest.mark.parametrize(
    "wrong", [sample(b"ok"), sample(b"OK\n"), sample(b"OK", 500), sample(b"OK", kind="text/html")]
)
def test_anything_else_does_not(wrong: Sample, tmp_path: Path) -> None:
    with pytest.raises(Mismatch):
        verifier(tmp_path).audit([sample(b"OK"), wrong])


def test_no_answer_at_all_is_a_breakdown(tmp_path: Path) -> None:
    with pytest.raises(Breakdown):
        verifier(tmp_path).audit([])
