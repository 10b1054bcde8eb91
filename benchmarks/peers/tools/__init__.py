"""The tools: one file each, with the same three parts: arguments, version, parse."""

from benchmarks.peers.tools.autocannon import Autocannon
from benchmarks.peers.tools.base import Answer, Command, Tool
from benchmarks.peers.tools.engine import Engine
from benchmarks.peers.tools.floor import Floor
from benchmarks.peers.tools.h2load import H2load
from benchmarks.peers.tools.oha import Oha
from benchmarks.peers.tools.shb import Shb
from benchmarks.peers.tools.wrk import Wrk

PEERS: list[type[Tool]] = [Wrk, Shb, H2load, Oha, Autocannon]

__all__ = ["PEERS", "Answer", "Command", "Engine", "Floor", "Tool"]
