"""`webdyno gate`: a run beside its baseline, made now or before."""

from webdyno.cli.gate.command import gate

__all__ = ["gate"]
