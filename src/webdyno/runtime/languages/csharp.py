"""C# on .NET."""

from webdyno.runtime.programs import NUMBER, Language, Program

LANGUAGE = Language(
    Program(
        "dotnet",
        ("--version",),
        rf"^{NUMBER}",
        hint="Ubuntu: sudo apt install dotnet-sdk-8.0; macOS: brew install dotnet; elsewhere: "
        "dotnet.microsoft.com/download",
    ),
)
