<?php

declare(strict_types=1);

/** The value of a cookie that this server signed; null where there is none, or where it is forged. */
function signedCookie(string $name): ?string
{
    $cookie = $_COOKIE[$name] ?? '';
    $value = is_string($cookie) ? strstr($cookie, '.', true) : false;
    if ($value === false || !hash_equals(signed($value), $cookie)) {
        return null;
    }
    return $value;
}

function setSignedCookie(string $name, string $value): void
{
    setcookie($name, signed($value), ['path' => '/', 'httponly' => true, 'samesite' => 'Lax']);
}

function signed(string $value): string
{
    return $value . '.' . hash_hmac('sha256', $value, getenv('WEBDYNO_SECRET'));
}
