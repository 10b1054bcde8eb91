"""Go."""

from webdyno.runtime.programs import NUMBER, Language, Program

LANGUAGE = Language(
    Program("go", ("version",), rf"go version go{NUMBER}", "golang-go", "go", "go.dev/dl")
)
