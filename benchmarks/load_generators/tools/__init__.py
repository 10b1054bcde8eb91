"""The clients: the engine, the floor, and the load generators whose files Webdyno has."""

from benchmarks.load_generators.tools import secure
from benchmarks.load_generators.tools.engine import Engine
from benchmarks.load_generators.tools.floor import Floor
from webdyno.generators.cross_check import TOOLS, Command, Tool, ToolResult

__all__ = ["TOOLS", "Command", "Engine", "Floor", "Tool", "ToolResult", "secure"]
