#!/bin/sh
# Starts php-fpm and, in front of it, Nginx, both under the configuration in serve/.
# SIGTERM stops both; nothing of theirs stays on the disk.
set -eu
cd "$(dirname "$0")"

refuse() {
    echo "server: $1" >&2
    exit 2
}

# A program on PATH or where distributions keep servers; the first of the names that is there.
find_program() {
    for name in "$@"; do
        for folder in $(echo "$PATH" | tr : ' ') /usr/sbin /usr/local/sbin /opt/homebrew/sbin; do
            if [ -x "$folder/$name" ]; then
                echo "$folder/$name"
                return
            fi
        done
    done
    refuse "$1 is not installed"
}

scenario=${WEBDYNO_SCENARIO:-}
[ -n "$scenario" ] && [ -f "config/routes/$scenario.yaml" ] ||
    refuse "unknown WEBDYNO_SCENARIO '$scenario': set it to one of $(basename -s .yaml config/routes/*.yaml | xargs)"
case $scenario in
    hello | json | stream | upload) needed= ;;
    sha256) needed=WEBDYNO_FILE ;;
    blog) needed=WEBDYNO_BLOG_DATA ;;
    session-counter) needed='WEBDYNO_SECRET PGHOST PGPORT PGDATABASE PGUSER' ;;
    point-lookup) needed='WEBDYNO_SKUS MYSQL_HOST MYSQL_PORT MYSQL_DATABASE MYSQL_USER' ;;
    *) needed='PGHOST PGPORT PGDATABASE PGUSER' ;;
esac
for name in PORT WEBDYNO_CPUS $needed; do
    eval "[ -n \"\${$name:-}\" ]" || refuse "the environment variable $name is not set"
done

version=$(php -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;')
php_fpm=$(find_program "php-fpm$version" php-fpm)
nginx=$(find_program nginx)
# PHP as it is deployed: with its cache of bytecode, and without a debugger.
if "$php_fpm" -m -d opcache.lockfile_path="${TMPDIR:-/tmp}" | grep -qi xdebug; then
    refuse "Xdebug is loaded into php-fpm and slows it down: disable it (on Debian: phpdismod xdebug)"
fi
"$php_fpm" -i -d opcache.enable=1 -d opcache.lockfile_path="${TMPDIR:-/tmp}" | grep -q '^opcache.enable => On' ||
    refuse "opcache is not loaded into php-fpm: install or enable it (on Debian: phpenmod opcache)"

run=$(mktemp -d)
# The kernel takes no more than 107 bytes for the path of a socket; php-fpm would cut it short.
[ ${#run} -le 94 ] || { rmdir "$run"; refuse "TMPDIR is too long a path for a socket: set it to a shorter one"; }

# Both refuse to work as root unless they are told to: what is under test runs as whoever starts it.
if [ "$(id -u)" = 0 ]; then
    fpm_user='user = root' nginx_user='user root;' as_root=-R
else
    fpm_user='' nginx_user='' as_root=
fi

# Files that Nginx serves by itself, before Symfony is asked.
files=$PWD/public
[ "$scenario" != blog ] || files=$WEBDYNO_BLOG_DATA/static

# A worker serves one request at a time: one for each connection to the database or, in scenarios
# without one, enough for all cores.
workers=${WEBDYNO_POOL:-$((WEBDYNO_CPUS > 8 ? 2 * WEBDYNO_CPUS : 16))}
for file in nginx.conf php-fpm.conf; do
    sed -e "s|@RUN@|$run|g" -e "s|@LISTEN@|${HOST:-127.0.0.1}:$PORT|g" -e "s|@ROOT@|$PWD/public|g" \
        -e "s|@FILES@|$files|g" -e "s|@CPUS@|$WEBDYNO_CPUS|g" -e "s|@WORKERS@|$workers|g" \
        -e "s|@FPM_USER@|$fpm_user|g" -e "s|@NGINX_USER@|$nginx_user|g" \
        "serve/$file" >"$run/$file"
done

# QUIT lets requests in flight end; TERM cuts what is left, such as one whose head has not come whole.
end() {
    kill -QUIT "$1" 2>/dev/null || true
    # Few pauses, ever longer: on a busy machine each takes long to start.
    for pause in 0.02 0.04 0.08 0.16 0.3 0.4 0.5 none; do
        kill -0 "$1" 2>/dev/null || break
        if [ "$pause" = none ]; then kill -TERM "$1" 2>/dev/null || true; else sleep "$pause"; fi
    done
    wait "$1" || true
}

fpm_pid='' nginx_pid=''
stop() {
    trap '' TERM INT
    # Nginx first, so that nobody meets it without PHP behind it.
    for pid in $nginx_pid $fpm_pid; do
        end "$pid"
    done
    rm -rf "$run"
    exit "$1"
}
trap 'stop 0' TERM INT

# The code does not change while it is served: do not look at the files' times for each request. No
# JIT, as PHP comes, whatever php.ini says. The sizes are those that Symfony recommends.
"$php_fpm" $as_root --nodaemonize --force-stderr --fpm-config "$run/php-fpm.conf" \
    -d opcache.enable=1 -d opcache.validate_timestamps=0 -d opcache.jit=disable \
    -d opcache.memory_consumption=256 -d opcache.max_accelerated_files=20000 \
    -d realpath_cache_size=4096K -d realpath_cache_ttl=600 \
    -d opcache.lockfile_path="$run" &
fpm_pid=$!
while [ ! -S "$run/php-fpm.sock" ]; do
    kill -0 "$fpm_pid" 2>/dev/null || stop 1
    sleep 0.01
done
"$nginx" -e stderr -p "$run" -c "$run/nginx.conf" &
nginx_pid=$!
wait "$nginx_pid" || true
echo "server: Nginx ended" >&2
stop 1
