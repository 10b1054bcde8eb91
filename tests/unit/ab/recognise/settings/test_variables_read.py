"""The variables that sources ask for, in the ways in which languages and libraries do."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.recognised import found_in
from webdyno.ab.recognise.settings.variables_read import required_in, variables_read_in


@pytest.mark.parametrize(
    ("name", "text", "asked"),
    [
        ("a.js", "const { PORT = 3000, DB_URL: url } = process.env", {"PORT", "DB_URL"}),
        ("a.ts", "z.object({ PORT: z.coerce.number(), name: z.string() })", {"PORT"}),
        ("a.ts", "cleanEnv(process.env, { PORT: port({ default: 1 }) })", {"PORT"}),
        ("a.ts", "this.config.getOrThrow<number>('HTTP_PORT')", {"HTTP_PORT"}),
        ("a.ts", "Joi.object({ PORT: Joi.number().default(1) })", {"PORT"}),
        ("a.ts", "response.headers.get('etag')", set()),
        ("bin/www", "normalizePort(process.env.PORT || '3000')", {"PORT"}),
        ("a.go", 'Port int `env:"PORT,required" json:"port"`', {"PORT"}),
        ("a.go", 'Port int `envconfig:"APP_PORT"`', {"APP_PORT"}),
        ("a.go", 'os.LookupEnv("DB_DSN")', {"DB_DSN"}),
        ("a.rs", '#[arg(long, env = "PORT", default_value_t = 1)]\n    port: u16,', {"PORT"}),
        ("a.rs", "#[arg(long, env)]\n    pub http_port: u16,", {"HTTP_PORT"}),
        ("a.rs", "#[arg(long)]\n    port: u16,", set()),
        ("a.exs", 'System.get_env("PORT") || System.fetch_env!("DATABASE_URL")',
         {"PORT", "DATABASE_URL"}),
        ("a.py", "env.db('DATABASE_URL'); config('SECRET_KEY')", {"DATABASE_URL", "SECRET_KEY"}),
        ("a.py", "class S(BaseSettings):\n    port: int = 1\n\n    db_url: str\n\n\nx: int = 1\n",
         {"PORT", "DB_URL"}),
        ("a.py", "class S(BaseSettings):\n    model_config = C(env_prefix='SHOP_')\n    port: int",
         {"SHOP_PORT"}),
        ("a.py", "class S(BaseModel):\n    port: int\n", set()),
        ("a.cs", 'Environment.GetEnvironmentVariable("PORT")', {"PORT"}),
    ],
)  # fmt: skip
def test_what_is_asked_for(tmp_path: Path, name: str, text: str, asked: set[str]) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    assert variables_read_in(tmp_path) == asked


@pytest.mark.parametrize(
    ("name", "text", "required"),
    [
        ("a.py", "class S(BaseSettings):\n    key: str\n    a: int = 1\n    b: str | None = None\n",
         ["KEY"]),
        ("a.py", "class S(BaseModel):\n    key: str\n", []),
        ("a.ts", "z.object({ KEY: z.string().min(32), A: z.string().optional(), "
         "B: z.coerce.number().default(1) }).parse(process.env)", ["KEY"]),
        ("a.ts", "z.object({ KEY: z.string() }).parse(body)", []),
        ("a.ts", "z.object({ KEY: z.string() }); const port = process.env.PORT", []),
        ("a.ts", "z.object({ KEY: z.string() }).safeParse({ ...process.env })", ["KEY"]),
        ("a.py", "class S(BaseSettings):\n    '''All.\n\n    Note: see README\n    '''\n"
         "    key: str\n", ["KEY"]),
        ("a.py", "class S(BaseSettings):\n    a: ClassVar[str]\n    b: Optional[str]\n"
         "    db: DbSettings\n", []),
        ("a.py", "class S(BaseSettings):\n    a: Annotated[\n        list[str], B(c)\n    ] = []\n"
         "    key: Annotated[\n        str, B(c)\n    ]\n", ["KEY"]),
        ("a.py", "class S(CommonSettings):\n    key: str\n", ["KEY"]),
        ("a.ts", 'import env from "@fastify/env"\nconst schema = { required: ["KEY", "A"], '
         "properties: { KEY: { type: 'string' }, A: { type: 'number', default: 1 } } }", ["KEY"]),
        ("a.ts", 'const schema = { required: ["KEY"] }', []),
        ("a.js", "cleanEnv(process.env, { KEY: str(), PORT: port({ default: 1 }) })", ["KEY"]),
        ("a.js", "Joi.object({ KEY: Joi.string().required(), A: Joi.string() })"
         ".validate(process.env)", ["KEY"]),
        ("a.ts", "import { IsString } from 'class-validator';\nclass EnvironmentVariables {\n"
         "  @IsString()\n  KEY: string;\n\n  @IsInt()\n  @IsOptional()\n  A: number;\n\n"
         "  @ValidateIf((one) => one.B)\n  @IsInt()\n  C: number;\n\n  @IsInt()\n"
         "  D: number = 1;\n}\n", ["KEY"]),
        ("a.ts", "import { IsInt } from 'class-validator';\nclass Item {\n  @IsInt()\n"
         "  ID: number;\n}", []),
        ("a.go", 'A string `env:"KEY,required"`\nB int `env:"B" envDefault:"1"`', ["KEY"]),
        ("a.go", 'A string `envconfig:"KEY" required:"true"`', ["KEY"]),
        ("a.rs", "#[clap(long, env)]\n    pub key: String,\n#[arg(env)]\n    a: Option<u16>,\n"
         '#[arg(env, default_value = "1")]\n    b: u16,', ["KEY"]),
    ],
)  # fmt: skip
def test_what_is_required(tmp_path: Path, name: str, text: str, required: list[str]) -> None:
    (tmp_path / name).write_text(text)
    assert required_in(tmp_path) == required


def test_init_tells_what_is_required_and_not_set(tmp_path: Path) -> None:
    settings = "class S(BaseSettings):\n    database_url: str\n    secret: str\n    port: int\n"
    files = {
        "requirements.txt": "fastapi\nuvicorn\npsycopg2\n",
        "main.py": "from fastapi import FastAPI\napp = FastAPI()\n",
        "settings.py": settings,
        "alembic.ini": "",
        ".env.example": "SECRET=\nOTHER=\n",
    }
    assert found_in(tmp_path, files).to_do == (
        "its settings require SECRET: set it in `env`",
        "OTHER is without a value in .env.example: set it in `env`",
    )


def test_what_is_required_has_the_value_of_the_sample(tmp_path: Path) -> None:
    names = ("APP_NAME", "LOG_LEVEL", "GRPC_PORT", "SMTP_PORT", "PATHS", "MAIL", "STORE", "DB_HOST")
    fields = "\n".join(f'\tF{n} string `env:"{one},required"`' for n, one in enumerate(names))
    sample = "APP_NAME=shop\nLOG_LEVEL=debug\nGRPC_PORT=81\nSMTP_PORT=25\nPATHS=$HOME/a\nX=1\n"
    sample += "MAIL=<yours>\nSTORE=postgres://me@localhost/shop\nDB_HOST=localhost\n"
    files = {"go.mod": "module x\n", "main.go": f"package main\n{fields}\n", ".env.example": sample}
    found = found_in(tmp_path, files)
    # Other ports may be those of what it asks, and one for all copies would be taken by the first.
    # Addresses lead to what the one who develops it uses.
    assert found.env == {"APP_NAME": "shop", "GRPC_PORT": "0"}
    assert found.to_do == (
        "its settings require LOG_LEVEL, SMTP_PORT, PATHS, MAIL, STORE and DB_HOST: set them in "
        "`env`",
    )
