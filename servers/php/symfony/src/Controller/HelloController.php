<?php

namespace App\Controller;

use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\Response;

final class HelloController extends AbstractController
{
    public function __invoke(): Response
    {
        return new Response('Hello World', Response::HTTP_OK, ['Content-Type' => 'text/plain']);
    }
}
