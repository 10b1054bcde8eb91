<?php

declare(strict_types=1);

require __DIR__ . '/../../lib/mariadb.php';

$candidates = explode(',', getenv('WEBDYNO_SKUS'));
$id = $_GET['id'] ?? $candidates[array_rand($candidates)];

header('Content-Type: text/plain; charset=utf-8');
$select = connectToMariaDb()->prepare('SELECT sku_id FROM purch_sku_master WHERE sku_id = ?');
$found = is_string($id) && $select->execute([$id]) ? $select->fetchColumn() : false;
if ($found === false) {
    http_response_code(404);
    exit('no such row');
}
echo $found;
