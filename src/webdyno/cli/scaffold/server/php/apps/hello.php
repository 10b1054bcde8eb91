<?php

declare(strict_types=1);

// The scenario `hello`, to which Nginx hands all requests. Replace it with your framework's.
header('Content-Type: text/plain; charset=utf-8');
if (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) === '/hello') {
    echo 'Hello World';
} else {
    http_response_code(404);
    echo 'Not Found';
}
