"""A service in Go: its package, the name of its program, and the modules beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.git_folder import git
from support.recognised import write
from webdyno.ab.recognise import recognise
from webdyno.ab.request.pair_request import PairRequest
from webdyno.ab.request.resolve import resolve
from webdyno.catalog import Catalog
from webdyno.errors import UserError


def test_what_cannot_be_found_out_is_said(tmp_path: Path) -> None:
    write(tmp_path, {"go.mod": "", "cmd/a/main.go": "", "cmd/b/main.go": ""})
    found = recognise(tmp_path)
    assert found is not None
    assert found.open.startswith("there are 2 packages in cmd; replace NAME, in `build`")
    assert found.open.endswith("that is the service: a and b")
    assert found.build == ("go build -o service ./cmd/NAME",)
    with pytest.raises(UserError, match="there are 2 packages in cmd"):
        resolve(PairRequest(cwd=tmp_path), Catalog(), tmp_path / "into")
    assert recognise(tmp_path / "cmd") is None


def test_a_package_that_is_called_as_services_are_is_taken(tmp_path: Path) -> None:
    write(tmp_path, {f"cmd/{name}/main.go": "" for name in ("migrate", "server", "worker")})
    write(tmp_path, {"go.mod": ""})
    found = recognise(tmp_path)
    assert found is not None
    assert (found.build, found.open) == (("go build -o service ./cmd/server",), "")


@pytest.mark.parametrize(
    ("file", "program"),
    [
        ("service/shop.go", "webdyno-service"),
        ("service", "webdyno-service"),
        ("services/shop.go", "service"),
    ],
)
def test_the_program_has_a_name_of_its_own(tmp_path: Path, file: str, program: str) -> None:
    write(tmp_path, {"go.mod": "module x", "main.go": "package main", file: ""})
    found = recognise(tmp_path)
    assert found is not None
    assert (found.build, found.run) == ((f"go build -o {program} .",), f"./{program}")


@pytest.mark.parametrize(
    ("root", "run"),
    [
        ('Use: "shop", RunE: func() error { return serve() },', "./service --port ${PORT}"),
        ('Use: "shop",', "./service"),
        ('Use: "shop",\n// Run: func() {},\n', "./service"),
    ],
)
def test_a_root_of_cobra_that_runs_needs_no_command(tmp_path: Path, root: str, run: str) -> None:
    main = (
        f"package main\nvar rootCmd = &cobra.Command{{ {root} }}\n"
        'var v = &cobra.Command{ Use: "version" }\nfunc init() {\n'
        'rootCmd.Flags().Int("port", 8081, "port")\nrootCmd.AddCommand(v)\n}\n'
    )
    write(tmp_path, {"go.mod": "module x\nrequire github.com/spf13/cobra v1", "main.go": main})
    found = recognise(tmp_path)
    assert found is not None
    assert found.run == run


def test_a_program_of_an_earlier_build_does_not_count(tmp_path: Path) -> None:
    write(tmp_path, {"go.mod": "module x", "main.go": "package main", "service": ""})
    write(tmp_path, {".gitignore": "/service\n"})
    git(tmp_path, "init", "-q")
    found = recognise(tmp_path)
    assert found is not None
    assert found.run == "./service"


@pytest.mark.parametrize("uses", ["use (\n\t./api\n\t./lib // ours\n)\n", "use ./api\nuse ./lib\n"])
def test_a_neighbour_by_go_work_is_told(tmp_path: Path, uses: str) -> None:
    api = "module example.org/api\n\nrequire example.org/lib v0.1.0\n"
    write(
        tmp_path,
        {
            "go.work": f"go 1.24\n\n{uses}",
            "api/go.mod": api,
            "api/main.go": "package main",
            "lib/go.mod": "module example.org/lib\n",
        },
    )
    found = recognise(tmp_path / "api")
    assert found is not None
    assert found.open == (
        "it needs ../lib, but a build sees only this folder; describe the service in .., which "
        "contains both"
    )
    # One that needs none of its neighbours is built by itself.
    write(tmp_path, {"api/go.mod": api.replace("example.org/lib", "example.org/library")})
    found = recognise(tmp_path / "api")
    assert found is not None
    assert found.open == ""


def test_a_go_work_of_its_own_that_leads_outside_is_told(tmp_path: Path) -> None:
    write(tmp_path, {"go.mod": "", "main.go": "package main", "go.work": "use (\n\t.\n\t../lib\n)"})
    found = recognise(tmp_path)
    assert found is not None
    assert found.open.startswith("it needs ../lib, but a build sees only this folder")
