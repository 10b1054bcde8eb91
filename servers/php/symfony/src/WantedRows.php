<?php

namespace App;

use Symfony\Component\HttpFoundation\Request;

final class WantedRows
{
    private const MOST = 500;

    /** How many rows the parameter n of the query asks for: 1 to 500. */
    public static function of(Request $request): int
    {
        $n = $request->query->all()['n'] ?? '';

        return is_string($n) && preg_match('/^[0-9]+$/D', $n) ? max(1, min((int) $n, self::MOST)) : 1;
    }
}
