<?php

namespace App\Controller;

use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Exception\BadRequestHttpException;

final class Sha256Controller extends AbstractController
{
    public function __invoke(Request $request, string $file): Response
    {
        $n = $request->query->all()['n'] ?? '';
        if (!is_string($n) || !preg_match('/^([1-9]\d{0,4}|100000)$/D', $n)) {
            throw new BadRequestHttpException('n must be an integer from 1 to 100000');
        }
        $digest = $this->digestChain(file_get_contents($file), (int) $n);

        return new Response($digest, Response::HTTP_OK, ['Content-Type' => 'text/plain']);
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
