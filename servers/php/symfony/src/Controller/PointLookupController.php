<?php

namespace App\Controller;

use Doctrine\DBAL\Connection;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;

final class PointLookupController extends AbstractController
{
    private const READ = 'SELECT sku_id FROM purch_sku_master WHERE sku_id = ?';

    /** @param list<string> $skus */
    public function __invoke(Request $request, Connection $mariaDb, array $skus): Response
    {
        $id = $request->query->all()['id'] ?? $skus[array_rand($skus)];
        $found = is_string($id) ? $mariaDb->fetchOne(self::READ, [$id]) : false;
        if ($found === false) {
            throw $this->createNotFoundException();
        }

        return new Response($found, Response::HTTP_OK, ['Content-Type' => 'text/plain']);
    }
}
