<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;

abstract class Controller
{
    /** How many rows the parameter n of the query asks for: 1 to 500. */
    protected function wantedRows(Request $request): int
    {
        $n = $request->query('n');

        return is_string($n) && ctype_digit($n) ? max(1, min((int) $n, 500)) : 1;
    }
}
