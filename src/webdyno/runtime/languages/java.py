"""Java, and what else runs on the JVM."""

from webdyno.runtime.programs import NUMBER, Language, Program

_PACKAGES = ("default-jdk-headless", "openjdk", "adoptium.net")

LANGUAGE = Language(
    # Java 8 still calls itself 1.8.
    Program("java", ("-version",), rf'version "(?:1\.)?{NUMBER}', *_PACKAGES),
    Program("javac", ("-version",), rf"^javac (?:1\.)?{NUMBER}", *_PACKAGES),
    Program(
        "mvn", ("--version",), rf"^Apache Maven {NUMBER}", "maven", "maven", "maven.apache.org"
    ),
)
