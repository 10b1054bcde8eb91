"""All processes of a server together hold no more than WEBDYNO_POOL database connections.

Each holds one at least, so there are no more of them than that where the scenario has a database,
however many cores there are; and each divides by the number that was started. Of Node.js and Bun
each also knows its own number, so that together they hold exactly so many.
"""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TypeVar

import pytest

Test = TypeVar("Test", bound=Callable[..., object])

SERVERS = Path(__file__).resolve().parents[3] / "servers"
CORES, POOL = 40, 3
# What the machine running the tests might have set itself.
UNSET = ("WEBDYNO_POOL", "WEBDYNO_SCENARIO", "DATABASE_URL", "PGHOST", "MYSQL_HOST", "THREADS")

GUNICORN = ("aiohttp", "django", "falcon", "flask")
ASGI = ("starlette", "fastapi", "litestar")
NODE = (
    "express",
    "fastify",
    "hapi",
    "hono",
    "http",
    "koa",
    "polka",
    "nestjs-express",
    "nestjs-fastify",
)
BUN = ("elysia", "hono", "serve")
RUBY = ("rails", "sinatra")


def needs(program: str, name: str) -> Callable[[Test], Test]:
    """For a test that starts a program of that language, which takes its time."""
    missing = pytest.mark.skipif(shutil.which(program) is None, reason=f"needs {name}")
    return lambda test: pytest.mark.slow(missing(test))


with_node, with_ruby = needs("node", "Node.js"), needs("ruby", "Ruby")


def environment(scenario: str, pool: int | None) -> dict[str, str]:
    """What a server is started with on a machine of CORES; `pool` is WEBDYNO_POOL."""
    counts = ("WEBDYNO_CPUS", "WORKERS", "WEB_CONCURRENCY")
    given = {"PORT": "1", "WEBDYNO_SCENARIO": scenario, **dict.fromkeys(counts, str(CORES))}
    match scenario:
        case "session-counter":
            given |= {"DATABASE_URL": "postgresql://db", "PGHOST": "db", "WEBDYNO_SECRET": "secret"}
        case "point-lookup":
            needed = ("HOST", "PORT", "USER", "DATABASE")
            given |= {"WEBDYNO_SKUS": "a,b", **{f"MYSQL_{name}": "3306" for name in needed}}
    if pool is not None:
        given["WEBDYNO_POOL"] = str(pool)
    return given


CASES = [
    ("hello", POOL, CORES),
    ("session-counter", POOL, POOL),
    ("session-counter", None, 16),
    ("point-lookup", POOL, POOL),
]
"""A scenario, WEBDYNO_POOL, and how many workers there are to be."""


def each(*servers: str) -> pytest.MarkDecorator:
    """Each of the servers in each case; Django has no point-lookup."""
    return pytest.mark.parametrize(
        ("server", "scenario", "pool", "workers"),
        [
            (server, *case)
            for server in servers
            for case in CASES
            if (server, case[0]) != ("django", "point-lookup")
        ],
    )


WITH_A_DATABASE = pytest.mark.parametrize(("pool", "workers"), [(POOL, POOL), (None, 16)])


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch, scenario: str, pool: int | None) -> None:
    for name in UNSET:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment(scenario, pool).items():
        monkeypatch.setenv(name, value)


def lines_of(folder: Path, scenario: str, pool: int | None, *command: str) -> list[str]:
    """What a program prints that a server's variant is started by."""
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    env = kept | environment(scenario, pool)
    ran = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split()


def preloaded(tmp_path: Path, text: str) -> tuple[str, str]:
    """Arguments of Node.js to run a module's text before its program."""
    module = tmp_path / "stub.mjs"
    module.write_text(text)
    return "--import", module.as_uri()


@pytest.mark.usefixtures("given")
@each(*GUNICORN)
def test_gunicorn_has_no_more_workers_than_connections(server: str, workers: int) -> None:
    settings = runpy.run_path(str(SERVERS / "python" / server / "gunicorn.conf.py"))
    assert settings["workers"] == workers
    assert settings["raw_env"] == [f"WEB_CONCURRENCY={workers}"]


@pytest.mark.parametrize(("scenario", "pool"), [("session-counter", None), ("hello", None)])
@pytest.mark.parametrize(("cores", "share"), [("1", 16), ("2", 8), (str(CORES), 1)])
@pytest.mark.usefixtures("given")
def test_no_thread_of_django_under_wsgi_waits_for_a_connection(
    monkeypatch: pytest.MonkeyPatch, scenario: str, cores: str, share: int
) -> None:
    monkeypatch.setenv("DJANGO_SERVER", "wsgi")
    monkeypatch.setenv("WEBDYNO_CPUS", cores)
    settings = runpy.run_path(str(SERVERS / "python/django/gunicorn.conf.py"))
    assert settings["threads"] == (16 if scenario == "hello" else share)


@pytest.mark.usefixtures("given")
@each(*ASGI)
def test_asgi_servers_have_no_more_workers_than_connections(
    monkeypatch: pytest.MonkeyPatch, server: str, workers: int
) -> None:
    started: list[int] = []

    def run(*_args: object, **_settings: object) -> None:
        started.append(int(os.environ["WEB_CONCURRENCY"]))

    class Granian:
        def __init__(self, *_args: object, workers: int, **_settings: object) -> None:
            started.append(workers)

        def serve(self) -> None:
            """Here it serves nobody."""

    program = str(SERVERS / "python" / server / "server.py")
    modules = {
        "uvicorn": {"run": run},
        "granian": {"Granian": Granian},
        "granian.constants": {
            "Interfaces": SimpleNamespace(ASGI="asgi"),
            "Loops": SimpleNamespace(uvloop="uvloop"),
        },
    }
    for name, members in modules.items():
        module = ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)
    for asgi_server in ("uvicorn", "granian"):
        started.clear()
        monkeypatch.setenv("ASGI_SERVER", asgi_server)
        monkeypatch.setenv("WEB_CONCURRENCY", str(CORES))
        runpy.run_path(program, run_name="__main__")
        assert started == [workers]
        # Each process's share of the connections follows from it.
        assert os.environ["WEB_CONCURRENCY"] == str(workers)


@with_node
@each(*NODE)
def test_clusters_of_node_have_no_more_workers_than_connections(
    tmp_path: Path, server: str, scenario: str, pool: int | None, workers: int
) -> None:
    folder = SERVERS / "node" / server
    program = folder / "cluster.js"
    if not program.exists():
        # In TypeScript, of which only the types are taken out; its scenario is checked by another.
        text = (folder / "src/cluster.ts").read_text()
        (tmp_path / "scenario.js").touch()
        program = tmp_path / "cluster.js"
        program.write_text(re.sub(r"<number(?:, number)?>|: (?:void|number)\b", "", text))
        (tmp_path / "package.json").write_text('{"type": "module"}')
    stub = """
        import cluster from 'node:cluster';
        const numbers = [];
        cluster.fork = ({ WORKER }) => ({ id: numbers.push(WORKER) });
        process.on('exit', () => console.log(process.env.WORKERS, ...numbers));
    """
    command = ("node", *preloaded(tmp_path, stub), str(program))
    assert lines_of(folder, scenario, pool, *command) == [str(workers), *map(str, range(workers))]


@with_node
def test_a_worker_that_died_is_replaced_by_one_of_its_number(tmp_path: Path) -> None:
    stub = """
        import cluster from 'node:cluster';
        let forks = 0;
        cluster.fork = ({ WORKER }) => {
          console.log(WORKER);
          return { id: (forks += 1) };
        };
        process.on('beforeExit', () => {
          if (forks === 3) {
            const worker = { id: 2, process: { pid: 0 } };
            cluster.emit('listening', worker);
            cluster.emit('exit', worker, 1);
          }
        });
    """
    command = ("node", *preloaded(tmp_path, stub), "cluster.js")
    found = lines_of(SERVERS / "node" / "express", "session-counter", POOL, *command)
    assert found == ["0", "1", "2", "1"]


@with_node
@pytest.mark.parametrize(("pool", "workers"), [(16, 6), (16, 1), (16, 16), (3, 2), (None, 5)])
@pytest.mark.parametrize("server", ["node/express", "node/hono", "node/nestjs-express"])
def test_the_workers_hold_exactly_the_pool(
    tmp_path: Path, server: str, pool: int | None, workers: int
) -> None:
    share = SERVERS / server / "lib/connections.js"
    told = "connections"
    if not share.exists():
        share = tmp_path / "environment.mjs"
        text = (SERVERS / server / "src/environment.ts").read_text()
        share.write_text(re.sub(r": (?:string|number|never)\b", "", text))
        told = "poolSize()"
    program = f"""
        let all = 0;
        for (let number = 0; number < {workers}; number += 1) {{
          process.env.WORKER = String(number);
          const module = await import({share.as_uri()!r} + '?' + number);
          all += module.{told};
        }}
        console.log(all);
    """
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    env = {**kept, "WORKERS": str(workers), **({"WEBDYNO_POOL": str(pool)} if pool else {})}
    ran = subprocess.run(
        ["node", "--input-type=module", "-e", program],
        env=env, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert ran.stdout.split() == [str(pool or 16)], ran.stderr


@with_node
@each(*BUN)
def test_clusters_of_bun_have_no_more_workers_than_connections(
    tmp_path: Path, server: str, scenario: str, pool: int | None, workers: int
) -> None:
    stub = """
        globalThis.Bun = {
          spawn(command, { env }) {
            console.log(env.WORKERS, env.WORKER);
            return { exited: Promise.resolve(0), kill() {} };
          },
        };
    """
    command = ("node", *preloaded(tmp_path, stub), "cluster.js")
    found = lines_of(SERVERS / "bun" / server, scenario, pool, *command)
    assert found == [text for number in range(workers) for text in (str(workers), str(number))]


@with_node
@WITH_A_DATABASE
def test_pm2_has_no_more_workers_than_connections(
    tmp_path: Path, pool: int | None, workers: int
) -> None:
    stub = """
        import child from 'node:child_process';
        import { syncBuiltinESMExports } from 'node:module';
        child.spawn = (command, args, { env }) => {
          console.log(env.WORKERS);
          return { on: (event, listener) => setImmediate(listener, 0), kill() {} };
        };
        syncBuiltinESMExports();
    """
    folder = SERVERS / "node/express-pm2"
    command = ("node", *preloaded(tmp_path, stub), "start.js")
    assert lines_of(folder, "session-counter", pool, *command) == [str(workers)]


@each("hono", "serve")
def test_deno_has_no_more_event_loops_than_connections(
    server: str, scenario: str, pool: int | None, workers: int
) -> None:
    command = ("./parallel.sh", "sh", "-c", "echo $WORKERS $DENO_JOBS")
    found = lines_of(SERVERS / "deno" / server, scenario, pool, *command)
    assert found == [str(workers)] * 2


@with_ruby
@each(*RUBY)
def test_puma_has_no_more_workers_than_connections(
    server: str, scenario: str, pool: int | None, workers: int
) -> None:
    asked = ("-r", "./lib/environment", "-e", "puts Environment.workers")
    assert lines_of(SERVERS / "ruby" / server, scenario, pool, "ruby", *asked) == [str(workers)]


@with_ruby
@pytest.mark.parametrize("server", RUBY)
@pytest.mark.parametrize(
    ("scenario", "cores", "threads", "connections"),
    [
        ("session-counter", "2", "5", "5"),
        ("session-counter", "4", "2", "2"),
        ("point-lookup", "1", "5", "8"),
        ("hello", "4", "5", "2"),
    ],
)
def test_no_thread_of_puma_waits_for_a_connection(
    server: str, scenario: str, cores: str, threads: str, connections: str
) -> None:
    program = (
        f'ENV["WEBDYNO_CPUS"] = "{cores}"; ENV.delete("WEB_CONCURRENCY");'
        "puts Environment.threads, Environment.connections"
    )
    asked = ("-r", "./lib/environment", "-e", program)
    found = lines_of(SERVERS / "ruby" / server, scenario, None, "ruby", *asked)
    assert found == [threads, connections]
