<?php

declare(strict_types=1);

const ROWS = 10_000;
const MOST = 500;

/** How many rows the parameter n of the query asks for: 1 to 500. */
function wantedRows(): int
{
    $n = $_GET['n'] ?? '';
    return is_string($n) && preg_match('/^[0-9]+$/D', $n) ? max(1, min((int) $n, MOST)) : 1;
}
