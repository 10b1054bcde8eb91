<?php

// Brings Laravel: by composer where it reaches its registry, else the distribution's own packages.

declare(strict_types=1);

chdir(__DIR__);

$composer = trim((string) shell_exec('command -v composer'));
if ($composer !== '') {
    putenv('COMPOSER_ALLOW_SUPERUSER=1');
    passthru(escapeshellarg($composer) . ' install --no-dev --no-interaction --no-progress', $status);
    if ($status === 0) {
        exit;
    }
}
if (stream_resolve_include_path('Illuminate/autoload.php') === false) {
    fwrite(STDERR, 'Laravel is neither to be had by composer nor installed; '
        . "install composer, or on Debian: apt-get install php-laravel-framework\n");
    exit(1);
}
echo "Laravel is the distribution's own: php-laravel-framework.\n";
