<?php

// Writes the blog's posts and images as a file of PHP: opcache then holds them for all workers.

declare(strict_types=1);

require __DIR__ . '/library.php';

[, $folder, $file] = $argv;

$library = [];
foreach (['posts', 'images'] as $name) {
    $library[$name] = json_decode(file_get_contents("$folder/$name.json"), true, flags: JSON_THROW_ON_ERROR);
}
if (count($library['posts']) < POSTS_PER_PAGE || $library['images'] === []) {
    fwrite(STDERR, "server: a page needs five posts and an image\n");
    exit(1);
}
file_put_contents($file, '<?php return ' . var_export($library, true) . ";\n");
// opcache keeps no file that has changed within the last two seconds.
touch($file, time() - 10);
