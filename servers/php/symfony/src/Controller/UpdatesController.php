<?php

namespace App\Controller;

use App\WantedRows;
use Doctrine\DBAL\Connection;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;

final class UpdatesController extends AbstractController
{
    private const ROWS = 10_000;
    private const LOCK = 'SELECT quantity FROM stock WHERE id = ? FOR UPDATE';
    private const WRITE = 'UPDATE stock SET quantity = counted.quantity
        FROM unnest(?::int[], ?::int[]) AS counted (id, quantity) WHERE stock.id = counted.id';

    public function __invoke(Request $request, Connection $connection): JsonResponse
    {
        $ids = $this->drawIds(WantedRows::of($request));
        $items = $connection->transactional(function (Connection $connection) use ($ids): array {
            $items = [];
            foreach ($ids as $id) {
                $items[] = ['id' => $id, 'quantity' => $connection->fetchOne(self::LOCK, [$id]) + 1];
            }
            $connection->executeStatement(self::WRITE, [
                '{' . implode(',', $ids) . '}',
                '{' . implode(',', array_column($items, 'quantity')) . '}',
            ]);

            return $items;
        });

        return $this->json($items);
    }

    /**
     * Different ids, in their order: rows that are always locked in the same order cannot make two
     * transactions wait for each other.
     *
     * @return list<int>
     */
    private function drawIds(int $count): array
    {
        $ids = [];
        while (count($ids) < $count) {
            $id = mt_rand(1, self::ROWS);
            $ids[$id] = $id;
        }
        sort($ids);

        return $ids;
    }
}
