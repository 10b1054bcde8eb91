"""What a scenario needs beside the server: real databases and proxies, private to a trial."""

from webdyno.runtime.services.base import RunningService, ServiceError, ServiceMissing
from webdyno.runtime.services.registry import start_service

__all__ = ["RunningService", "ServiceError", "ServiceMissing", "start_service"]
