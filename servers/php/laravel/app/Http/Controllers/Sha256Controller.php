<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Illuminate\Http\Response;

class Sha256Controller extends Controller
{
    public function __invoke(Request $request): Response
    {
        $n = $request->query('n');
        $valid = is_string($n) && preg_match('/^([1-9]\d{0,4}|100000)$/D', $n);
        abort_unless($valid, 400, 'n must be an integer from 1 to 100000');
        $digest = $this->digestChain(file_get_contents(config('sha256.file')), (int) $n);

        return response($digest)->header('Content-Type', 'text/plain');
    }

    /** The first digest is that of the content, each further one that of the content and the one before. */
    private function digestChain(string $content, int $rounds): string
    {
        $digest = hash('sha256', $content, binary: true);
        for ($round = 2; $round <= $rounds; $round++) {
            $hash = hash_init('sha256');
            hash_update($hash, $content);
            hash_update($hash, $digest);
            $digest = hash_final($hash, binary: true);
        }

        return bin2hex($digest);
    }
}
