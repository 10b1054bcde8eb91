"""`doctor --generators`: the engine beside other load generators, on the user's machine."""

from webdyno.generators.cross_check.client import Command, Tool, ToolResult
from webdyno.plugins import Plugins

TOOLS: Plugins[Tool] = Plugins("webdyno.generators.cross_check.tools", "TOOL", "load tool")
"""The other generators. Unlike those of `webdyno.generators.plugins` they are given one fixed URL
and no checks: they are compared with the engine, and make no trial's load."""

__all__ = ["TOOLS", "Command", "Tool", "ToolResult"]
