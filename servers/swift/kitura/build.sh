#!/bin/sh
# build.sh [debug]: builds the server, a release if not told, with what its old packages need of a new
# toolchain: an import that Foundation made by itself when they were written, and OpenSSL 1.1, whose
# functions are macros in OpenSSL 3.
# OPENSSL_1_1 names a folder that holds its include/ and lib/, where the system's own is newer.
set -eu
cd "$(dirname "$0")"
set -- build -c "${1:-release}" -Xswiftc -Xfrontend -Xswiftc -import-module -Xswiftc -Xfrontend -Xswiftc FoundationNetworking
if [ -n "${OPENSSL_1_1:-}" ]; then
    set -- "$@" -Xcc "-I$OPENSSL_1_1/include" -Xlinker "-rpath=$OPENSSL_1_1/lib" \
        -Xlinker "$OPENSSL_1_1/lib/libssl.so.1.1" -Xlinker "$OPENSSL_1_1/lib/libcrypto.so.1.1"
fi
exec swift "$@"
