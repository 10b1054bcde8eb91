<?php

namespace App\Http\Controllers;

use Illuminate\Http\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpFoundation\StreamedResponse;

class StreamController extends Controller
{
    private const BYTES = 4096;
    private const MOST = 65_536;

    public function __invoke(Request $request): StreamedResponse
    {
        $n = $request->query('n');
        $tag = $request->query('tag');
        $valid = is_string($n) && preg_match('/^[0-9]{1,5}$/D', $n) && $n >= 1 && $n <= self::MOST;
        abort_unless($valid, 400, 'n must be an integer from 1 to 65536');
        abort_unless(is_string($tag) && preg_match('/^[0-9]{18}$/D', $tag), 400, 'tag must be eighteen digits');

        return response()->stream(fn () => $this->sendPieces((int) $n, $tag), Response::HTTP_OK, [
            'Content-Type' => 'text/plain',
            // Nginx hands on what it gets: PHP then waits for a client that reads slowly.
            'X-Accel-Buffering' => 'no',
        ]);
    }

    /** Each piece is made when the one before it was sent. */
    private function sendPieces(int $count, string $tag): void
    {
        // As php.ini may have it, PHP would gather output itself.
        Response::closeOutputBuffers(0, true);
        for ($number = 0; $number < $count; $number++) {
            $head = sprintf('%010d %s %016d ', $number, $tag, (int) (microtime(true) * 1_000_000));
            echo str_pad($head, self::BYTES - 1, '.') . "\n";
            flush();
        }
    }
}
