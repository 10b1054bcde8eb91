<?php

declare(strict_types=1);

require __DIR__ . '/../../lib/database.php';
require __DIR__ . '/../../lib/rows.php';

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    header('Allow: POST');
    exit;
}

$wanted = wantedRows();
$ids = [];
while (count($ids) < $wanted) {
    $id = mt_rand(1, ROWS);
    $ids[$id] = $id;
}
// Rows that are always locked in the same order cannot make two transactions wait for each other.
sort($ids);

$database = connect();
$database->beginTransaction();
$lock = $database->prepare('SELECT quantity FROM stock WHERE id = ? FOR UPDATE');
$items = [];
foreach ($ids as $id) {
    $lock->execute([$id]);
    $items[] = ['id' => $id, 'quantity' => $lock->fetchColumn() + 1];
}
$write = $database->prepare(
    'UPDATE stock SET quantity = counted.quantity
    FROM unnest(?::int[], ?::int[]) AS counted (id, quantity) WHERE stock.id = counted.id'
);
$write->execute([
    '{' . implode(',', $ids) . '}',
    '{' . implode(',', array_column($items, 'quantity')) . '}',
]);
$database->commit();

header('Content-Type: application/json');
echo json_encode($items);
