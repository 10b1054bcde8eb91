<?php

namespace App\Http\Controllers;

class SessionCounterController extends Controller
{
    public function __invoke(): string
    {
        session(['count' => session('count', 0) + 1]);

        return 'Count is ' . session('count');
    }
}
