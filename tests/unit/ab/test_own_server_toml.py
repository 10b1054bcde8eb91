"""A service's own `server.toml` is a file like any other."""

from webdyno.ab.study.pairing import Pairing
from webdyno.runtime.builds.build import digest_of


def test_it_tells_two_versions_apart(pair: Pairing) -> None:
    a, b = pair.catalog.pair.values()
    assert digest_of(a, {}) == digest_of(b, {})
    path = a.folder / "server.toml"
    path.write_text("workers = 1\n")
    one = a.model_copy(update={"source": ("server.toml",)})
    before = digest_of(one, {})
    path.write_text("workers = 2\n")
    assert digest_of(one, {}) != before
