<?php

namespace App\Controller;

use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpFoundation\StreamedResponse;
use Symfony\Component\HttpKernel\Exception\BadRequestHttpException;

final class StreamController extends AbstractController
{
    private const BYTES = 4096;
    private const MOST = 65_536;

    public function __invoke(Request $request): StreamedResponse
    {
        ['n' => $n, 'tag' => $tag] = $request->query->all() + ['n' => '', 'tag' => ''];
        if (!is_string($n) || !preg_match('/^[0-9]{1,5}$/D', $n) || $n < 1 || $n > self::MOST) {
            throw new BadRequestHttpException('n must be an integer from 1 to 65536');
        }
        if (!is_string($tag) || !preg_match('/^[0-9]{18}$/D', $tag)) {
            throw new BadRequestHttpException('tag must be eighteen digits');
        }

        return new StreamedResponse(fn () => $this->sendPieces((int) $n, $tag), Response::HTTP_OK, [
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
