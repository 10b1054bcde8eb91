<?php

namespace App\Controller;

use App\WantedRows;
use Doctrine\DBAL\Connection;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;

final class QueriesController extends AbstractController
{
    private const ROWS = 10_000;
    private const READ = 'SELECT id, randomnumber AS "randomNumber" FROM world WHERE id = ?';

    public function __invoke(Request $request, Connection $connection): JsonResponse
    {
        $worlds = [];
        for ($count = WantedRows::of($request); $count > 0; $count--) {
            $worlds[] = $connection->fetchAssociative(self::READ, [mt_rand(1, self::ROWS)]);
        }

        return $this->json($worlds);
    }
}
