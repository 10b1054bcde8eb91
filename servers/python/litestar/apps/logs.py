"""Errors that no handler expects, on stderr: by default Litestar logs them in debug mode only."""

from litestar.logging import LoggingConfig

config = LoggingConfig(
    log_exceptions="always",
    # The client's errors, which are answered and no reason for a line.
    disable_stack_trace={400, 404, 405, 413},
)
