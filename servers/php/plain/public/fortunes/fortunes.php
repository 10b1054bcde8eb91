<?php

declare(strict_types=1);

require __DIR__ . '/../../lib/database.php';
require __DIR__ . '/../../lib/html.php';

$added = $_GET['added'] ?? '';
if (!is_string($added) || $added === '') {
    http_response_code(400);
    exit('added must be a text');
}

$fortunes = connect()->query('SELECT id, message FROM fortune')->fetchAll(PDO::FETCH_ASSOC);
$fortunes[] = ['id' => 0, 'message' => $added];
usort($fortunes, fn (array $a, array $b): int => strcmp($a['message'], $b['message']));

header('Content-Type: text/html; charset=utf-8');
?>
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Fortunes</title></head>
<body>
<table>
<tr><th>id</th><th>message</th></tr>
<?php foreach ($fortunes as $fortune): ?>
<tr><td><?= $fortune['id'] ?></td><td><?= escape($fortune['message']) ?></td></tr>
<?php endforeach ?>
</table>
</body>
</html>
