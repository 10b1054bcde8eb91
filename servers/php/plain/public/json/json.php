<?php

declare(strict_types=1);

$numbers = [];
for ($number = 1; $number <= 10; $number++) {
    $numbers["Test Number $number"] = mt_rand(0, 1000);
}

header('Content-Type: application/json');
echo json_encode($numbers);
