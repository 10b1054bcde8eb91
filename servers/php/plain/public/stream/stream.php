<?php

declare(strict_types=1);

const BYTES = 4096;
const MOST = 65_536;

$n = $_GET['n'] ?? '';
$tag = $_GET['tag'] ?? '';
if (!is_string($n) || !preg_match('/^[0-9]{1,5}$/D', $n) || (int) $n < 1 || (int) $n > MOST) {
    http_response_code(400);
    exit('n must be an integer from 1 to 65536');
}
if (!is_string($tag) || !preg_match('/^[0-9]{18}$/D', $tag)) {
    http_response_code(400);
    exit('tag must be eighteen digits');
}

header('Content-Type: text/plain; charset=utf-8');
// Nginx hands on what it gets: PHP then waits for a client that reads slowly.
header('X-Accel-Buffering: no');
// As php.ini may have it, PHP would gather output itself.
while (ob_get_level() > 0) {
    ob_end_flush();
}
for ($number = 0; $number < (int) $n; $number++) {
    $head = sprintf('%010d %s %016d ', $number, $tag, (int) (microtime(true) * 1_000_000));
    echo str_pad($head, BYTES - 1, '.') . "\n";
    flush();
}
