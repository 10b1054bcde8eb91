<?php

declare(strict_types=1);

$n = $_GET['n'] ?? '';
if (!is_string($n) || !preg_match('/^([1-9]\d{0,4}|100000)$/D', $n)) {
    http_response_code(400);
    exit('n must be an integer from 1 to 100000');
}

// The first digest is that of the content, each further one that of the content and the one before.
$content = file_get_contents(getenv('WEBDYNO_FILE'));
$digest = hash('sha256', $content, binary: true);
for ($round = 2; $round <= (int) $n; $round++) {
    $hash = hash_init('sha256');
    hash_update($hash, $content);
    hash_update($hash, $digest);
    $digest = hash_final($hash, binary: true);
}

header('Content-Type: text/plain; charset=utf-8');
echo bin2hex($digest);
