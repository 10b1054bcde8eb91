"""Rust."""

from webdyno.runtime.programs import NUMBER, Language, Program

LANGUAGE = Language(
    Program("cargo", ("--version",), rf"^cargo {NUMBER}", "cargo", "rust", "rustup.rs")
)
