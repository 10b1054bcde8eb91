"""Other makers' load generators, to measure the engine beside them.

One file each, with the same parts: the arguments of a closed and an open load, the version, what
the output means. Unlike `webdyno.generators.registry` they are given one fixed URL and no checks:
they are compared with the engine, and make no trial's load.
"""

from webdyno.generators.peers.autocannon import Autocannon
from webdyno.generators.peers.base import Answer, Command, Tool
from webdyno.generators.peers.h2load import H2load
from webdyno.generators.peers.k6 import K6
from webdyno.generators.peers.oha import Oha
from webdyno.generators.peers.shb import Shb
from webdyno.generators.peers.wrk import Wrk
from webdyno.generators.peers.wrk2 import Wrk2

PEERS: list[type[Tool]] = [Wrk, Wrk2, Shb, H2load, Oha, K6, Autocannon]

__all__ = ["PEERS", "Answer", "Command", "Tool"]
