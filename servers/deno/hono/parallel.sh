#!/bin/sh
# Runs a command with as many event loops as WORKERS says, which divide the database connections among them.
set -eu
cd "$(dirname "$0")"
if [ -n "${DATABASE_URL:-}${MYSQL_HOST:-}" ] && [ "$WORKERS" -gt "${WEBDYNO_POOL:-16}" ]; then
    # Each holds a connection at least.
    WORKERS=${WEBDYNO_POOL:-16}
fi
export WORKERS DENO_JOBS="$WORKERS"
exec "$@"
