"""How a service comes to its port: what its sources say, where its command line does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.recognised import found_in, write
from webdyno.ab.recognise import recognise

NODE = {"package.json": '{"main": "a.js"}'}
GO = {"go.mod": "", "main.go": "package main\n"}


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({**NODE, "a.js": "app.listen(3000, () => {})"}, "a.js names port 3000"),
        (
            {**NODE, "a.js": "", "src/b.ts": "app.listen({ port: 3000 })"},
            "src/b.ts names port 3000",
        ),
        ({**GO, "b.go": 'http.ListenAndServe(":8080", nil)'}, "b.go names port 8080"),
        ({**GO, "b.go": 'router.Run("0.0.0.0:8080")'}, "b.go names port 8080"),
        (
            {"requirements.txt": "", "main.py": "app.run(host='0.0.0.0', port=5000)"},
            "main.py names port 5000",
        ),
        ({"pom.xml": "", "src/A.java": "app.start(7070);"}, "src/A.java names port 7070"),
        (
            {
                "Cargo.toml": '[package]\nname = "x"',
                "src/main.rs": 'TcpListener::bind("127.0.0.1:8080")',
            },
            "src/main.rs names port 8080",
        ),
        (
            {
                "Cargo.toml": '[package]\nname = "x"',
                "src/main.rs": "let at = SocketAddr::from(([0, 0, 0, 0], 3000));",
            },
            "src/main.rs names port 3000",
        ),
        (
            {
                "Cargo.toml": '[package]\nname = "x"',
                "src/main.rs": 'axum::Server::bind(&"0.0.0.0:8080".parse()?)',
            },
            "src/main.rs names port 8080",
        ),
        ({**GO, "b.go": 'e.Start("[::1]:1323")'}, "b.go names port 1323"),
        (
            {"pom.xml": "", "src/A.kt": "embeddedServer(Netty, port = 8080) {"},
            "src/A.kt names port 8080",
        ),
        (
            {"pom.xml": "", "src/A.kt": "embeddedServer(CIO, host = h, port = 80, module = m)"},
            "src/A.kt names port 80",
        ),
        ({"pom.xml": "", "src/A.kt": "embeddedServer(Netty, 8080) {"}, "src/A.kt names port 8080"),
        # Its configuration is not read for that, whatever it says.
        (
            {
                "pom.xml": "",
                "src/main/kotlin/A.kt": "embeddedServer(factory = Netty, port = 8080) {",
                "src/main/resources/application.conf": "port = ${?PORT}",
            },
            "src/main/kotlin/A.kt names port 8080",
        ),
        (
            {
                "pom.xml": "",
                "A.kt": "embeddedServer(Netty, configure = { connector { port = 81 } }",
            },
            "A.kt names port 81",
        ),
        (
            {"pom.xml": "", "A.java": "HttpServer.create(new InetSocketAddress(8000), 0);"},
            "A.java names port 8000",
        ),
        # A name stands for the port, or for an address with it.
        (
            {**NODE, "a.js": "const port = 3000\napp.listen(port, () => {})"},
            "a.js names port 3000",
        ),
        (
            {**NODE, "a.js": "const PORT: number = 3000;\napp.listen({ host, port: PORT })"},
            "a.js names port 3000",
        ),
        (
            {**GO, "b.go": 'addr := ":8080"\nlog.Fatal(http.ListenAndServe(addr, mux))'},
            "b.go names port 8080",
        ),
        (
            {
                "Cargo.toml": '[package]\nname = "x"',
                "src/main.rs": 'const ADDR: &str = "0.0.0.0:3000";\nTcpListener::bind(ADDR).await',
            },
            "src/main.rs names port 3000",
        ),
        (
            {"requirements.txt": "", "main.py": "PORT = 8000\nuvicorn.run(app, port=PORT)"},
            "main.py names port 8000",
        ),
        ({**NODE, "a.js": "const port = 5432\ndb.connect(port)\napp.listen(at)"}, ""),
        ({**NODE, "a.js": "const port = 3000 + id\napp.listen(port)"}, ""),
        # Each of several services may have a port of its own.
        (
            {
                "Cargo.toml": '[workspace]\nmembers = ["a", "b"]',
                **{f"{one}/Cargo.toml": f'[package]\nname = "{one}"' for one in "ab"},
                "a/src/main.rs": 'TcpListener::bind("127.0.0.1:8080")',
                "b/src/main.rs": "",
            },
            "",
        ),
        # A variable is asked for its port, or the command names it.
        ({**NODE, "a.js": "app.listen(3000)", "b.js": "x = process.env.PORT"}, ""),
        ({**NODE, "a.js": "app.listen(port)"}, ""),
        (
            {**NODE, "a.js": "const PORT = 1; app.listen(3000, () => log(`at ${PORT}`))"},
            "a.js names port 3000",
        ),
        (
            {"pom.xml": "", "src/A.kt": 'app.start(7070); println("at ${PORT}")'},
            "src/A.kt names port 7070",
        ),
        ({"pom.xml": "", "src/A.kt": '@Value("\\${PORT}") app.start(7070)'}, ""),
        ({"pom.xml": "", "a.properties": "server.port=${PORT}\nx=1", "A.java": ".start(80)"}, ""),
        ({**NODE, "a.js": "", "a.test.js": "app.listen(3000)", "test/b.js": "app.listen(1)"}, ""),
        ({"pom.xml": "org.springframework.boot", "a.properties": "server.port=80"}, ""),
    ],
)
def test_a_fixed_port_is_told(tmp_path: Path, files: dict[str, str], named: str) -> None:
    write(tmp_path, files)
    found = recognise(tmp_path)
    assert found is not None
    said = [line for line in found.to_do if "names port" in line]
    assert [line.partition(", but several copies")[0] for line in said] == (
        [named] if named else []
    )


@pytest.mark.parametrize(
    ("text", "env"),
    [
        ("app.listen(process.env.HTTP_PORT || 3000)", {"HTTP_PORT": "${PORT}"}),
        ("app.listen(process.env.PORT || process.env.APP_PORT)", {}),
        ("db(process.env.DB_PORT)", {}),
        ("log(`at ${API_PORT}`)", {}),
        ("log(`at ${process.env.API_PORT}`)", {"API_PORT": "${PORT}"}),
    ],
)
def test_a_port_that_another_variable_tells(tmp_path: Path, text: str, env: dict[str, str]) -> None:
    write(tmp_path, {**NODE, "a.js": text})
    found = recognise(tmp_path)
    assert found is not None
    assert (found.env, found.to_do) == ({"NODE_ENV": "production", **env}, ())


@pytest.mark.parametrize(
    ("call", "is_told"),
    [
        ("web.run_app(make())\n", True),
        ("web.run_app(\n    make(),\n    host=host,\n    port=port,\n)\n", False),
        ("web.run_app(app, path=socket)\n", False),
    ],
)
def test_what_gives_aiohttp_no_port_is_told(tmp_path: Path, call: str, is_told: bool) -> None:
    found = found_in(tmp_path, {"requirements.txt": "aiohttp\n", "main.py": call})
    said = "main.py gives aiohttp no port, which then takes 8080, but several copies"
    assert any(line.startswith(said) for line in found.to_do) == is_told


@pytest.mark.parametrize(
    ("source", "env"),
    [
        (
            'addr := os.Getenv("LISTEN_ADDR")\nif addr == "" {\n\taddr = ":8080"\n}\n',
            {"LISTEN_ADDR": "127.0.0.1:${PORT}"},
        ),
        ('addr := getenv("BIND", "0.0.0.0:8080")\n_ = os.Getenv("BIND")\n',
         {"BIND": "127.0.0.1:${PORT}"}),
        # Whether the port belongs to it is not told.
        ('host := os.Getenv("LISTEN_ADDR")\n', {}),
        ('addr := os.Getenv("REDIS_ADDR")\nif addr == "" {\n\taddr = ":6379"\n}\n', {}),
    ],
)  # fmt: skip
def test_an_address_that_a_source_reads_beside_its_default_tells_the_port(
    tmp_path: Path, source: str, env: dict[str, str]
) -> None:
    main = f"package main\nfunc main() {{\n{source}\nhttp.ListenAndServe(addr, nil)\n}}\n"
    assert found_in(tmp_path, {**GO, "main.go": main}).env == env


@pytest.mark.parametrize(
    ("sample", "env"),
    [
        ('SERVER_ADDRESS = ":9090"\n', {"SERVER_ADDRESS": "127.0.0.1:${PORT}"}),
        ("LISTEN_ADDR=0.0.0.0:80\n", {"LISTEN_ADDR": "127.0.0.1:${PORT}"}),
        ("SERVER_ADDRESS=shop.example:80\n", {}),
        ("REDIS_ADDR=localhost:6379\n", {}),
    ],
)
def test_an_address_of_its_own_in_a_sample_tells_the_port(
    tmp_path: Path, sample: str, env: dict[str, str]
) -> None:
    assert found_in(tmp_path, {**GO, "example.env": sample}).env == env
