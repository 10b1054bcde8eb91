<?php

namespace App\Controller;

use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;

final class SessionCounterController extends AbstractController
{
    public function __invoke(Request $request): Response
    {
        $session = $request->getSession();
        $session->set('count', $session->get('count', 0) + 1);

        return new Response('Count is ' . $session->get('count'));
    }
}
