#!/bin/sh
# Renders the page into a file, again and again, and starts Nginx in front of it. SIGTERM stops both
# and leaves nothing on the disk.
set -eu
cd "$(dirname "$0")"

refuse() {
    echo "server: $1" >&2
    exit 2
}

[ "${WEBDYNO_SCENARIO:-}" = page ] ||
    refuse "unknown WEBDYNO_SCENARIO '${WEBDYNO_SCENARIO:-}': set it to page"
for name in PORT WEBDYNO_CPUS PGHOST PGPORT PGDATABASE PGUSER; do
    eval "[ -n \"\${$name:-}\" ]" || refuse "the environment variable $name is not set"
done

# Distributions keep servers where a user's PATH does not lead.
PATH=$PATH:/usr/sbin:/usr/local/sbin:/opt/homebrew/sbin
nginx=$(command -v nginx) || refuse "nginx is not installed"
run=$(mktemp -d)
mkdir "$run/public"

# Its workers may read what whoever starts it may read; as root they would become nobody.
[ "$(id -u)" = 0 ] && nginx_user='user root;' || nginx_user=''
sed -e "s|@RUN@|$run|g" -e "s|@LISTEN@|${HOST:-127.0.0.1}:$PORT|g" -e "s|@CPUS@|$WEBDYNO_CPUS|g" \
    -e "s|@NGINX_USER@|$nginx_user|g" serve/nginx.conf >"$run/nginx.conf"

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

php_pid='' nginx_pid=''
stop() {
    trap '' TERM INT
    [ -z "$nginx_pid" ] || end "$nginx_pid"
    [ -z "$php_pid" ] || kill "$php_pid" 2>/dev/null || true
    [ -z "$php_pid" ] || wait "$php_pid" || true
    rm -rf "$run"
    exit "$1"
}
trap 'stop 0' TERM INT

php render.php "$run/public/page" >&2 &
php_pid=$!
while [ ! -f "$run/public/page" ]; do
    kill -0 "$php_pid" 2>/dev/null || stop 1
    sleep 0.01
done
"$nginx" -e stderr -p "$run" -c "$run/nginx.conf" &
nginx_pid=$!
wait "$nginx_pid" || true
echo "server: Nginx ended" >&2
stop 1
