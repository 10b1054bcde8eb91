"""The Ruby that a Gemfile asks for, beside the one that this machine has."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.recognised import found_in
from webdyno.ab.recognise.scripted.ruby_version import _holds
from webdyno.runtime.toolchains import find


@pytest.mark.parametrize(
    ("gemfile", "toolchain", "asked"),
    [
        ('ruby "1.8.7"\n', "ruby >= 1.8.7", "1.8.7"),
        ("ruby '99.1.0' # the newest\n", "ruby >= 99.1.0", "99.1.0"),
        ('ruby("~> 1.9.0")\n', "ruby >= 1.9.0", "~> 1.9.0"),
        ('ruby ">= 1.8", "< 1.9"\n', "ruby >= 1.8", ">= 1.8, < 1.9"),
        ('ruby file: ".ruby-version"\n', "ruby >= 1.9.3", "1.9.3"),
        ('ruby ">= 1.8"\n', "ruby >= 1.8", ""),
        ("gem 'rack'\n", "ruby", ""),
        ('ruby "1.9.3", engine: "jruby", engine_version: "1.7"\n', "ruby", ""),
        ('# ruby "1.9.3"\n', "ruby", ""),
        ('ruby "1.9.2", :patchlevel => "353"\n', "ruby >= 1.9.2", "1.9.2"),
        ('ruby "1.9.2", patchlevel: "353"\n', "ruby >= 1.9.2", "1.9.2"),
        ('ruby "1.9.3", :engine => "jruby", :engine_version => "9.1"\n', "ruby", ""),
        ('ruby "1.9.2" # of no other engine\n', "ruby >= 1.9.2", "1.9.2"),
        ('ruby :file => ".ruby-version"\n', "ruby >= 1.9.3", "1.9.3"),
        ('ruby ENV.fetch("RUBY", "1.9.2")\n', "ruby", ""),
    ],
)
def test_the_ruby_of_a_gemfile(tmp_path: Path, gemfile: str, toolchain: str, asked: str) -> None:
    found = found_in(tmp_path, {"Gemfile": gemfile, "config.ru": "", ".ruby-version": "1.9.3\n"})
    assert found.toolchain == (toolchain,)
    own = find("ruby").found_version
    said = [line for line in found.to_do if line.startswith("its Gemfile asks for Ruby")]
    assert bool(said) == bool(asked and own)
    for line in said:
        assert f"asks for Ruby {asked}, and this machine has {own}, which Bundler refuses" in line


@pytest.mark.parametrize(
    ("own", "sign", "asked", "holds"),
    [
        ("3.1.2", "=", "3.1.2", True),
        ("3.1.2", "=", "3.1.3", False),
        ("3.1.2", "~>", "3.1", True),
        ("3.4.2", "~>", "3.1", True),
        ("4.0.0", "~>", "3.1", False),
        ("3.2.0", "~>", "3.1.0", False),
        ("3.2.0", "~>", "3", True),
        ("4.0.0", "~>", "3", False),
        ("3.10.0", ">", "3.9", True),
        ("3.0.0", ">=", "3", True),
        ("3.1.2", "!=", "3.1.2", False),
    ],
)
def test_a_version_fits_as_rubygems_reads_it(own: str, sign: str, asked: str, holds: bool) -> None:
    assert _holds(own, sign, asked) is holds
