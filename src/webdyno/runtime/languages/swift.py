"""Swift."""

from webdyno.runtime.programs import NUMBER, Language, Program

LANGUAGE = Language(
    Program(
        "swift",
        ("--version",),
        rf"Swift version {NUMBER}",
        hint="Debian 13 and later: sudo apt install swiftlang; Ubuntu and older Debian: "
        "swift.org/install/linux; macOS: xcode-select --install",
    ),
    mirror_of=["swift", "package", "config", "get-mirror", "--original"],
)
