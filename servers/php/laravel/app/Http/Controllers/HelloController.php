<?php

namespace App\Http\Controllers;

use Illuminate\Http\Response;

class HelloController extends Controller
{
    public function __invoke(): Response
    {
        return response('Hello World')->header('Content-Type', 'text/plain');
    }
}
