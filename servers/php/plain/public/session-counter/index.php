<?php

declare(strict_types=1);

require __DIR__ . '/../../lib/database.php';
require __DIR__ . '/../../lib/cookie.php';

const COOKIE = 'session';

$uid = signedCookie(COOKIE);
if ($uid === null) {
    $uid = bin2hex(random_bytes(16));
    setSignedCookie(COOKIE, $uid);
}

$database = connect();
$select = $database->prepare('SELECT data FROM usersessions WHERE uid = ?');
$select->execute([$uid]);
$row = $select->fetchColumn();

if ($row === false) {
    $data = ['count' => 1];
    $insert = $database->prepare('INSERT INTO usersessions (uid, data) VALUES (?, ?)');
    $insert->execute([$uid, json_encode($data)]);
} else {
    $data = json_decode($row, true, flags: JSON_THROW_ON_ERROR);
    $data['count']++;
    $update = $database->prepare('UPDATE usersessions SET data = ? WHERE uid = ?');
    $update->execute([json_encode($data), $uid]);
}

header('Content-Type: text/plain; charset=utf-8');
echo "Count is {$data['count']}";
