"""Nginx: servers that are nothing but its configuration, and those behind it."""

from webdyno.runtime.programs import NUMBER, SBIN, Language, Program

LANGUAGE = Language(
    Program(
        "nginx",
        ("-v",),
        rf"nginx/{NUMBER}",
        "nginx-light",
        "nginx",
        folders=SBIN,
        use="servers behind Nginx",
    )
)
