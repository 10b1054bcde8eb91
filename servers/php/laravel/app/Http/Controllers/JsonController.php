<?php

namespace App\Http\Controllers;

use Illuminate\Http\JsonResponse;

class JsonController extends Controller
{
    public function __invoke(): JsonResponse
    {
        $numbers = [];
        for ($number = 1; $number <= 10; $number++) {
            $numbers["Test Number $number"] = mt_rand(0, 1000);
        }

        return response()->json($numbers);
    }
}
