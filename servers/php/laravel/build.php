<?php

// Brings Laravel: by composer where it reaches its registry, else the distribution's own packages.

declare(strict_types=1);

chdir(__DIR__);

/** Whether composer is there and has brought everything; nothing of it stays where it has not. */
function byComposer(): bool
{
    $composer = trim((string) shell_exec('command -v composer'));
    if ($composer === '') {
        echo "composer is not installed.\n";
        return false;
    }
    putenv('COMPOSER_ALLOW_SUPERUSER=1');
    $install = ' install --no-dev --no-interaction --no-progress --no-scripts';
    passthru(escapeshellarg($composer) . $install . ' 2>&1', $status);
    if ($status === 0) {
        return true;
    }
    // Half of it would be loaded in place of the distribution's.
    passthru('rm -rf vendor composer.lock');
    echo "composer could not bring Laravel (it ended with $status).\n";
    return false;
}

if (byComposer()) {
    $source = 'composer';
    echo "Laravel is composer's: laravel/framework.\n";
} elseif (stream_resolve_include_path('Illuminate/autoload.php') !== false) {
    $source = 'distribution';
    echo "Laravel is the distribution's own: php-laravel-framework.\n";
} else {
    fwrite(STDERR, 'error: no Laravel from composer, and none installed; '
        . "on Debian: apt-get install php-laravel-framework\n");
    exit(1);
}

// For the record of a run: which of the two it is.
require 'bootstrap/autoload.php';
file_put_contents('framework-version.txt', Illuminate\Foundation\Application::VERSION . " ($source)\n");
