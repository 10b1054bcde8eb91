<?php

// Brings Symfony: by composer where it reaches its registry, else the distribution's own packages.
// Then compiles the container, the routes and the templates of each scenario.

declare(strict_types=1);

chdir(__DIR__);

const PACKAGES = 'php-symfony-framework-bundle php-symfony-twig-bundle php-symfony-console '
    . 'php-symfony-yaml php-doctrine-dbal';

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
    echo "composer could not bring Symfony (it ended with $status).\n";
    return false;
}

/** Whether the distribution has all of it. */
function installed(): bool
{
    $parts = ['Symfony/Bundle/FrameworkBundle', 'Symfony/Bundle/TwigBundle', 'Symfony/Component/Console',
        'Symfony/Component/Yaml', 'Doctrine/DBAL'];
    $found = array_filter($parts, fn (string $part) => stream_resolve_include_path("$part/autoload.php"));
    return count($found) === count($parts);
}

if (byComposer()) {
    $source = 'composer';
    echo "Symfony is composer's: symfony/framework-bundle.\n";
} elseif (installed()) {
    $source = 'distribution';
    echo "Symfony is the distribution's own: php-symfony-framework-bundle.\n";
} else {
    fwrite(STDERR, 'error: no Symfony from composer, and none installed; '
        . 'on Debian: apt-get install ' . PACKAGES . "\n");
    exit(1);
}

// For the record of a run: which of the two it is.
require 'autoload.php';
file_put_contents('framework-version.txt', Symfony\Component\HttpKernel\Kernel::VERSION . " ($source)\n");

foreach (glob('config/routes/*.yaml') as $routes) {
    $scenario = basename($routes, '.yaml');
    putenv("WEBDYNO_SCENARIO=$scenario");
    // As the build's log begins a command: what is said from here on is said of this one.
    echo "\$ WEBDYNO_SCENARIO=$scenario bin/console cache:warmup\n";
    passthru(escapeshellarg(PHP_BINARY) . ' bin/console cache:warmup --no-interaction 2>&1', $status);
    if ($status !== 0) {
        fwrite(STDERR, "error: the container of $scenario could not be compiled\n");
        exit(1);
    }
}
