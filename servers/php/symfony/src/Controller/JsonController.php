<?php

namespace App\Controller;

use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\JsonResponse;

final class JsonController extends AbstractController
{
    public function __invoke(): JsonResponse
    {
        $numbers = [];
        for ($number = 1; $number <= 10; $number++) {
            $numbers["Test Number $number"] = mt_rand(0, 1000);
        }

        return $this->json($numbers);
    }
}
