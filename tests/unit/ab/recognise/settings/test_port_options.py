"""A program with an option for its port is started with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.recognised import found_in

GO = "package main\n%s\n"
CARGO = '[package]\nname = "x"\nedition = "2021"\n'


@pytest.mark.parametrize(
    ("code", "run"),
    [
        ('var p = flag.Int("port", 8080, "")', "./service --port ${PORT}"),
        ('flag.StringVar(&cfg.addr, "addr", ":8080", "")', "./service --addr 127.0.0.1:${PORT}"),
        ('flag.String("port", ":8080", "")', "./service --port :${PORT}"),
        ('flag.Int("port", 8080, "")\nflag.Int("metrics-port", 9100, "")',
         "./service --port ${PORT}"),
        ('flag.Int("port", 8080, "")\nflag.String("addr", ":81", "")', "./service"),
        ('flag.Int("port", 8080, "")\nos.Getenv("PORT")', "./service"),
        ('flag.String("db-addr", "db:5432", "")', "./service"),
        ('flag.String("listen", "unix:/run/a.sock", "")', "./service"),
    ],
)  # fmt: skip
def test_in_go(tmp_path: Path, code: str, run: str) -> None:
    assert found_in(tmp_path, {"go.mod": "module x\n", "main.go": GO % code}).run == run


@pytest.mark.parametrize(
    ("commands", "run"),
    [
        (["serve"], "./service serve --port ${PORT}"),
        (["serve", "migrate"], "./service serve --port ${PORT}"),
        (["serve", "api"], "./service"),
        (["import"], "./service"),
    ],
)
def test_of_a_command_of_cobras(tmp_path: Path, commands: list[str], run: str) -> None:
    uses = "\n".join(f'var x = &cobra.Command{{Use: "{one}"}}' for one in commands)
    flags = 'serve.Flags().IntVarP(&port, "port", "p", 8080, "")'
    files = {
        "go.mod": "module x\nrequire github.com/spf13/cobra v1.9.0\n",
        "main.go": GO % "",
        "cmd/root.go": f"package cmd\n{uses}\n{flags}\nroot.AddCommand(x)\n",
    }
    assert found_in(tmp_path, files).run == run


ROOT = 'var cli = &cobra.Command{Use: "%s"}\nfunc Do() { cli.Execute() }\n'
FLAG = 'cli.Flags().Int("port", 8080, "")\n'


@pytest.mark.parametrize(
    ("needed", "code", "run"),
    [
        # A root is the program itself, which may have no commands at all.
        ("v1.9.0", ROOT % "api" + FLAG, "./service --port ${PORT}"),
        ("v1.9.0", ROOT % "api" + 'cli.AddCommand(&cobra.Command{Use: "serve"})\n' + FLAG,
         "./service serve --port ${PORT}"),
        ("v1.9.0", ROOT % "server" + 'cli.AddCommand(&cobra.Command{Use: "migrate"})\n',
         "./service"),
        # What another package needs, this program does not have.
        ("v1.9.0 // indirect", 'flag.Int("port", 8080, "")\n', "./service --port ${PORT}"),
    ],
)  # fmt: skip
def test_the_root_of_cobras_commands_is_no_command(
    tmp_path: Path, needed: str, code: str, run: str
) -> None:
    mod = f"module x\nrequire github.com/spf13/cobra {needed}\n"
    assert found_in(tmp_path, {"go.mod": mod, "main.go": GO % code}).run == run


@pytest.mark.parametrize(
    ("field", "run"),
    [
        ("#[arg(long, default_value_t = 8080)]\n    port: u16,", "--port ${PORT}"),
        ('#[arg(short, long, default_value = "0.0.0.0:80")]\n    pub addr: SocketAddr,',
         "--addr 127.0.0.1:${PORT}"),
        ('#[clap(long = "http-port", default_value = "80")]\n    at: u16,', "--http-port ${PORT}"),
        ('#[arg(long, env = "PORT", default_value_t = 8080)]\n    port: u16,', ""),
        ("#[arg(default_value_t = 8080)]\n    port: u16,", ""),
    ],
)  # fmt: skip
def test_in_rust(tmp_path: Path, field: str, run: str) -> None:
    files = {"Cargo.toml": CARGO, "src/main.rs": f"struct Args {{\n    {field}\n}}\n"}
    assert found_in(tmp_path, files).run == f"target/release/x {run}".strip()


@pytest.mark.parametrize(
    ("code", "run"),
    [
        ('parser.add_argument("--port", "-p", type=int, default=8000)', " --port ${PORT}"),
        ('@click.option("-p", "--port", default=8000)', " --port ${PORT}"),
        ('define("port", default=8888, help="")', " --port ${PORT}"),
        ('parser.add_argument("port", nargs="?", default=8888)', ""),
        ('parser.add_argument("--workers", default=8000)', ""),
    ],
)
def test_in_python(tmp_path: Path, code: str, run: str) -> None:
    files = {"requirements.txt": "aiohttp\n", "main.py": f"{code}\nrun()\n"}
    assert found_in(tmp_path, files).run == f".venv/bin/python main.py{run}"


def test_the_member_called_as_services_are_is_taken_of_a_workspace(tmp_path: Path) -> None:
    files = {"Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n'}
    for name in ("api", "cli"):
        files[f"crates/{name}/Cargo.toml"] = CARGO.replace('"x"', f'"{name}"')
        files[f"crates/{name}/src/main.rs"] = ""
    found = found_in(tmp_path, files)
    assert (found.run, found.open, found.package) == ("target/release/api", "", "crates/api")
