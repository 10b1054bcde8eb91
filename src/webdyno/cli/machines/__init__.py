"""`webdyno machines`: what is done with a cluster, and as what this machine joins it."""

from webdyno.cli.machines.command import machines

__all__ = ["machines"]
