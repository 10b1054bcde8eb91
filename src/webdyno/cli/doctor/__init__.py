"""`webdyno doctor`: programs, machine, generators, and the machines of a cluster."""

from webdyno.cli.doctor.command import doctor

__all__ = ["doctor"]
