<?php

declare(strict_types=1);

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    header('Allow: POST');
    exit;
}

$hash = hash_init('sha256');
$length = hash_update_stream($hash, fopen('php://input', 'rb'));

header('Content-Type: text/plain; charset=utf-8');
printf('sha256:%s %d', hash_final($hash), $length);
