"""What a folder says of the service in it: how it is built and run, by its usual manifests."""

from webdyno.ab.recognise.folder import known_variables, recognise
from webdyno.ab.recognise.recognised import RecognisedService

__all__ = ["RecognisedService", "known_variables", "recognise"]
