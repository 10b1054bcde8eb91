<?php

$vendor = __DIR__ . '/vendor/autoload.php';
if (is_file($vendor)) {
    require $vendor;
    return;
}

// Debian's packages stand on the include path and load themselves; only App\ is left to do.
foreach (['Bundle/FrameworkBundle', 'Bundle/TwigBundle', 'Component/Console', 'Component/Yaml'] as $part) {
    require_once "Symfony/$part/autoload.php";
}
require_once 'Doctrine/DBAL/autoload.php';

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'App\\')) {
        require __DIR__ . '/src/' . strtr(substr($class, strlen('App\\')), '\\', '/') . '.php';
    }
});
