"""Each server is a program of its own; where several do the same work, their code is the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SERVERS = Path(__file__).resolve().parents[3] / "servers"

NODE_ROWS = "bun/elysia bun/hono deno/hono deno/serve node/fastify node/hapi node/hono node/koa"
NESTS = """clock.ts cluster.ts environment.ts random.ts stderr-logger.ts tag.pipe.ts whole.pipe.ts
    blog/*.service.ts cached/*.ts fortunes/*.module.ts fortunes/*.service.ts hello/*.ts
    json/*.ts mariadb/*.ts page/*.module.ts page/*.service.ts point-lookup/*.ts postgres/*.ts
    middleware/*.ts queries/*.ts session-counter/*.controller.ts sha256/*.ts sse/*.service.ts
    sse/*.module.ts sse/*.decorator.ts stream/*.ts updates/*.ts upload/*.service.ts
    websocket-echo/*.ts"""
GO = "go/net-http go/chi go/echo go/fiber go/gin go/httprouter"
PYTHON = "python/starlette python/aiohttp python/falcon python/fastapi python/flask python/litestar"
RUST = "rust/actix rust/axum rust/hyper rust/ntex"

# Servers, and files that have the same text in all of them; by a pattern, those that a copy has.
SAME = [
    ("node/hono bun/hono deno/hono", "apps/*.js lib/*.js"),
    (f"{NODE_ROWS} node/express node/http node/polka", "lib/cache.js lib/rows.js"),
    (f"{NODE_ROWS} node/express-pm2 node/http", "lib/database.js"),
    (f"{NODE_ROWS} node/polka", "lib/lookup.js"),
    (
        f"{NODE_ROWS} bun/serve node/express-pm2 node/http node/polka node/uwebsockets",
        "lib/connections.js",
    ),
    (f"{NODE_ROWS} bun/serve node/express node/http node/polka", "lib/environment.js"),
    ("node/hono bun/elysia deno/serve", "lib/digests.js"),
    ("node/hono bun/elysia deno/serve node/http", "lib/sessions.js"),
    ("node/hono bun/elysia deno/serve node/express node/koa node/polka", "lib/pieces.js"),
    ("node/hono bun/elysia", "lib/events.js"),
    ("node/koa node/express node/polka", "lib/echo.js lib/events.js"),
    ("node/express node/polka", "lib/send-stream.js"),
    (
        "node/hono bun/elysia bun/serve node/express node/fastify node/hapi node/http node/koa"
        " node/polka",
        "lib/random.js",
    ),
    ("node/express node/polka", "lib/database.js lib/table-store.js"),
    ("node/express node/express-pm2", "lib/table-store.js"),
    ("node/express node/express-pm2 node/express-sqlite", "server.js"),
    ("node/express-pm2 node/express-sqlite", "scenario.js"),
    (
        "node/express node/express-pm2 node/express-sqlite node/koa node/kwan node/polka node/toa"
        " node/trek",
        "lib/shutdown.js",
    ),
    (
        "node/express-pm2 node/express-sqlite node/kwan node/toa node/trek",
        "lib/environment.js",
    ),
    ("node/koa node/kwan node/toa", "server.js"),
    ("node/toa node/trek", "scenario.js"),
    ("node/koa node/kwan", "lib/access-log.js lib/memory-store.js views/greeting.ejs"),
    ("node/express node/koa", "lib/i18next.js"),
    ("node/express node/http", "views/blog.js views/escape.js"),
    ("node/hono node/http", "lib/shutdown.js"),
    (
        "node/hono node/uwebsockets",
        "lib/cache.js lib/database.js lib/digests.js lib/environment.js lib/events.js lib/lookup.js"
        " lib/pieces.js lib/random.js lib/rows.js lib/sessions.js",
    ),
    ("node/http node/uwebsockets", "views/*.js"),
    ("bun/hono bun/elysia bun/serve", "cluster.js"),
    ("node/http node/express node/fastify node/hapi node/hono node/koa node/polka", "cluster.js"),
    ("deno/hono deno/serve", "parallel.js parallel.sh server.js lib/random.js"),
    ("node/express node/fastify node/hapi node/koa node/polka", "views/*.ejs"),
    ("node/fastify node/hapi", "lib/pieces.js"),
    ("node/nestjs-express node/nestjs-fastify", " ".join(f"src/{each}" for each in NESTS.split())),
    ("node/nestjs-express node/nestjs-fastify", "tsconfig.json views/*.hbs"),
    (
        GO,
        "article.go database.go fortune.go posts.go stock.go world_cache.go worlds.go"
        " templates/blog.html templates/fortunes.html templates/page.html",
    ),
    (
        "go/net-http go/beego",
        "article.go database.go fortune.go posts.go stock.go world_cache.go worlds.go",
    ),
    ("go/gin go/beego", "events.go lookup.go pieces.go"),
    ("go/net-http go/chi go/echo go/gin go/httprouter", "serve.go table_store.go"),
    ("go/echo go/fiber go/gin", "lookup.go"),
    (f"{GO} go/beego", "counts.go"),
    ("go/echo go/fiber", "digests.go events.go numbers.go pieces.go"),
    (
        "java/javalin java/helidon",
        "src/main/java/*/*/Databases.java src/main/java/*/*/Lookup.java"
        " src/main/java/*/*/Numbers.java src/main/java/*/*/Rows.java"
        " src/main/java/*/*/Sessions.java src/main/java/*/*/Signer.java"
        " src/main/java/*/*/WorldCache.java",
    ),
    (
        "java/javalin java/helidon java/vertx",
        "src/main/java/*/*/Blog.java src/main/java/*/*/Digests.java"
        " src/main/java/*/*/Environment.java src/main/java/*/*/Pieces.java src/main/jte/*.jte",
    ),
    ("java/vertx java/quarkus", "src/main/java/*/*/Echo.java"),
    ("java/javalin java/servlet java/spring-boot", "src/main/java/*/*/Numbers.java"),
    ("java/javalin java/helidon java/vertx", "src/main/java/*/*/Counts.java"),
    (
        "java/spring-boot java/servlet java/micronaut java/quarkus",
        "src/main/java/*/*/*/Signer.java",
    ),
    ("java/spring-boot java/micronaut java/quarkus", "src/main/java/*/*/*/DigestChain.java"),
    (
        "kotlin/spring-boot kotlin/spring-boot-coroutines",
        "src/main/kotlin/*/*/Application.kt src/main/kotlin/*/*/Numbers.kt"
        " src/main/kotlin/*/*/*/Blog.kt src/main/kotlin/*/*/*/DigestChain.kt"
        " src/main/kotlin/*/*/*/Rows.kt"
        " src/main/kotlin/*/*/*/ReadFile.kt src/main/kotlin/*/*/*/Signer.kt",
    ),
    (
        "java/spring-boot java/micronaut kotlin/spring-boot kotlin/spring-boot-coroutines",
        "src/main/resources/*/*.html",
    ),
    (
        "java/spring-boot kotlin/spring-boot",
        "src/main/resources/*.yaml src/main/resources/*.xml",
    ),
    (
        "cpp/pistache cpp/httplib",
        "src/digests.* src/environment.* src/lookup.* src/pages.hpp src/random.hpp",
    ),
    ("php/plain php/laravel", "serve/php-fpm.conf"),
    (PYTHON, "apps/digests.py apps/posts.py apps/templates/*.html"),
    ("python/starlette python/django", "apps/**/posts.py"),
    (
        "python/starlette python/aiohttp python/falcon python/fastapi python/litestar",
        "apps/pool.py",
    ),
    ("python/starlette python/aiohttp python/fastapi python/litestar", "apps/rows.py"),
    ("python/starlette python/aiohttp python/fastapi", "apps/world_cache.py"),
    ("python/fastapi python/litestar", "server.py"),
    ("python/flask python/falcon", "apps/parameters.py"),
    ("ruby/rails ruby/sinatra", "lib/counts.rb lib/environment.rb lib/library.rb"),
    (
        RUST,
        "src/decimal.rs src/environment.rs src/pieces.rs src/rows.rs src/stamps.rs"
        " src/world_cache.rs templates/fortunes.html templates/page.html",
    ),
    ("rust/actix rust/ntex", "src/database.rs"),
    ("rust/axum rust/hyper", "src/database.rs"),
    ("rust/actix rust/axum rust/hyper rust/ntex", "src/apps/posts.rs templates/blog.html"),
    (
        "swift/kitura swift/perfect swift/zewo",
        "Sources/Server/Environment.swift Sources/Server/Library.swift",
    ),
    ("swift/kitura swift/foundation swift/perfect swift/zewo", "Sources/Server/Page.swift"),
]

# The same of Go programs, but for the routes, which are each router's own.
SAME_BUT_ROUTES = [
    (
        "go/net-http go/chi go/httprouter",
        "blog fortunes json page point_lookup session_counter sha256 sse stream upload"
        " websocket_echo",
    ),
    (GO, "cached"),
    ("go/net-http go/httprouter", "middleware"),
]


def texts(server: str, pattern: str) -> dict[str, str]:
    """The text of each file, but for the name of the Java package, which is each server's own."""
    found = (SERVERS / server).glob(pattern)
    return {path.name: re.sub(r"\bwebdyno\.\w+", "webdyno", path.read_text()) for path in found}


@pytest.mark.parametrize(
    ("servers", "pattern"),
    [(servers, pattern) for servers, patterns in SAME for pattern in patterns.split()],
)
def test_servers_do_the_same_work_in_the_same_text(servers: str, pattern: str) -> None:
    original, *copies = servers.split()
    expected = texts(original, pattern)
    for copy in copies:
        shared = texts(copy, pattern)
        assert shared, f"{copy} has no {pattern}"
        assert shared == {name: expected.get(name) for name in shared}, (
            f"{copy} differs from {original}"
        )


def declarations(path: Path) -> list[str]:
    """What a file in Go declares beside the function that mounts its routes."""
    parts = re.split(r"\n\n(?=\S)", path.read_text().rstrip())
    return [each for each in parts if not re.match(r"package|import|func (new|mount)[A-Z]", each)]


@pytest.mark.parametrize(
    ("servers", "name"),
    [(servers, name) for servers, names in SAME_BUT_ROUTES for name in names.split()],
)
def test_servers_in_go_differ_in_their_routes_alone(servers: str, name: str) -> None:
    original, *copies = (SERVERS / server / f"{name}.go" for server in servers.split())
    expected = declarations(original)
    assert expected
    for copy in copies:
        assert declarations(copy) == expected, f"{copy} differs from {original}"


END = re.compile(r"^# QUIT lets.*\nend\(\) \{\n(?:.+\n)+?\}$", re.MULTILINE)
"""How a script ends one of its programs."""


def test_scripts_end_their_programs_in_the_same_way() -> None:
    skeleton = SERVERS.parent / "src/webdyno/cli/scaffold/server/php/serve.sh"
    scripts = [skeleton, *SERVERS.glob("*/*/serve.sh")]
    (found,) = {tuple(END.findall(one.read_text())) for one in scripts}
    assert len(found) == 1


PATIENCE = re.compile(r"^// What may wait for a client.+\nconst UNREAD_BYTES = .+;$", re.MULTILINE)
ECHO = re.compile(
    r"^ *\w+\.on\('message', \(data, isBinary\) => \{\n(?:.+\n)+? *\}\);$", re.MULTILINE
)
"""How much a server in Node.js lets wait for a client, and how it sends a message back."""
ECHOES = (
    "lib/echo.js",
    "adapter.js",
    "apps/websocket-echo.js",
    "src/websocket-echo/echo.gateway.ts",
)


def test_servers_in_node_wait_for_a_client_in_the_same_way() -> None:
    files = [file for each in ECHOES for file in SERVERS.glob(f"node/*/{each}")]
    written = [file.read_text() for file in files]
    patience = [one for text in written for one in PATIENCE.findall(text)]
    echoes = [one for text in written for one in ECHO.findall(text)]
    assert len(set(patience)) == 1
    # All but Hono's, whose library listens itself.
    assert len(echoes) == len(patience) - 1
    plain = (re.sub(r"^ +", "", one, flags=re.MULTILINE) for one in echoes)
    assert len({re.sub(r"\bclient\b", "socket", one) for one in plain}) == 1


def test_events_in_go_are_asked_for_in_the_same_way() -> None:
    # Echo and Fiber frame their events themselves, which is a declaration more.
    expected = declarations(SERVERS / "go/gin/events.go")
    assert expected
    assert declarations(SERVERS / "go/echo/events.go")[: len(expected)] == expected
