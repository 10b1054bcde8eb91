<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Http\Response;

class UploadController extends Controller
{
    public function __invoke(Request $request): Response
    {
        $hash = hash_init('sha256');
        $length = hash_update_stream($hash, $request->getContent(asResource: true));
        $digest = hash_final($hash);

        return response("sha256:$digest $length")->header('Content-Type', 'text/plain');
    }
}
