<?php

namespace App\Controller;

use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;

final class UploadController extends AbstractController
{
    public function __invoke(Request $request): Response
    {
        $hash = hash_init('sha256');
        $length = hash_update_stream($hash, $request->getContent(asResource: true));
        $digest = hash_final($hash);

        return new Response("sha256:$digest $length", Response::HTTP_OK, ['Content-Type' => 'text/plain']);
    }
}
