<?php

declare(strict_types=1);

require __DIR__ . '/../../lib/database.php';
require __DIR__ . '/../../lib/rows.php';

$select = connect()->prepare('SELECT id, randomnumber AS "randomNumber" FROM world WHERE id = ?');
$worlds = [];
for ($count = wantedRows(); $count > 0; $count--) {
    $select->execute([mt_rand(1, ROWS)]);
    $worlds[] = $select->fetch(PDO::FETCH_ASSOC);
}

header('Content-Type: application/json');
echo json_encode($worlds);
