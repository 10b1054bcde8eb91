#!/bin/sh
# Starts php-fpm and, in front of it, Nginx, both under the configuration in serve/; SIGTERM stops both.
set -eu
cd "$(dirname "$0")"

scenario=${WEBDYNO_SCENARIO:-}
if [ -z "$scenario" ] || [ ! -f "apps/$scenario.php" ]; then
    echo "WEBDYNO_SCENARIO is '$scenario'; one of: $(basename -s .php apps/* | xargs)" >&2
    exit 2
fi

# Where distributions keep servers, after what is on PATH.
PATH=$PATH:/usr/sbin:/usr/local/sbin:/opt/homebrew/sbin
php_fpm=php-fpm$(php -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;')
command -v "$php_fpm" >/dev/null || php_fpm=php-fpm

# Both refuse to work as root unless they are told to.
if [ "$(id -u)" = 0 ]; then
    fpm_user='user = root' nginx_user='user root;' as_root=-R
else
    fpm_user='' nginx_user='' as_root=
fi

run=$(mktemp -d)
cpus=${WEBDYNO_CPUS:-1}
workers=$((cpus > 8 ? 2 * cpus : 16))
for file in nginx.conf php-fpm.conf; do
    sed -e "s|@RUN@|$run|g" -e "s|@LISTEN@|${HOST:-127.0.0.1}:$PORT|g" -e "s|@APP@|$PWD/apps/$scenario.php|g" \
        -e "s|@CPUS@|$cpus|g" -e "s|@WORKERS@|$workers|g" \
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
    trap '' TERM
    # Nginx first, so that nobody meets it without PHP behind it.
    for pid in $nginx_pid $fpm_pid; do
        end "$pid"
    done
    rm -rf "$run"
    exit "$1"
}
trap 'stop 0' TERM

# The code does not change while it is served: do not look at the files' times for each request.
"$php_fpm" $as_root --nodaemonize --force-stderr --fpm-config "$run/php-fpm.conf" \
    -d opcache.enable=1 -d opcache.validate_timestamps=0 -d opcache.jit=disable \
    -d opcache.lockfile_path="$run" &
fpm_pid=$!
while [ ! -S "$run/php-fpm.sock" ]; do
    kill -0 "$fpm_pid" 2>/dev/null || stop 1
    sleep 0.01
done
nginx -e stderr -p "$run" -c "$run/nginx.conf" &
nginx_pid=$!
wait "$nginx_pid" || true
stop 1
