"""The chain of digests."""

import hashlib


def digest_chain(content: bytes, n: int) -> str:
    """The `n`-th digest in hexadecimal.

    The first is that of `content`, each further one that of `content` followed by the digest
    before it.
    """
    digest = b""
    for _ in range(n):
        sha256 = hashlib.sha256(content)
        sha256.update(digest)
        digest = sha256.digest()
    return digest.hex()
