<?php

// Renders the page into a file, again every half second, for as long as whoever started it lives.

declare(strict_types=1);

[, $file] = $argv;
$parent = posix_getppid();

$database = new PDO(
    sprintf('pgsql:host=%s;port=%s;dbname=%s', getenv('PGHOST'), getenv('PGPORT'), getenv('PGDATABASE')),
    getenv('PGUSER'),
);

function escape(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE | ENT_HTML5);
}

function page(array $articles): string
{
    ob_start();
    require __DIR__ . '/page.html.php';
    return ob_get_clean();
}

while (posix_getppid() === $parent) {
    $articles = $database
        ->query('SELECT title, author, summary FROM articles ORDER BY number')
        ->fetchAll(PDO::FETCH_ASSOC);
    file_put_contents("$file.new", page($articles));
    rename("$file.new", $file); // whoever reads it gets one page or the other
    usleep(500_000);
}
