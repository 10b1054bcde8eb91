<?php

namespace App\Session;

use Illuminate\Database\ConnectionInterface;
use Illuminate\Database\Query\Builder;
use SessionHandlerInterface;

/**
 * Keeps sessions in the table usersessions: the id in `uid`, the attributes as JSON in `data`.
 *
 * Laravel's own database driver has other columns, and hands sessions over serialised by PHP.
 */
class TableSessionHandler implements SessionHandlerInterface
{
    private bool $exists = false;

    public function __construct(private ConnectionInterface $connection)
    {
    }

    public function open(string $path, string $name): bool
    {
        return true;
    }

    public function close(): bool
    {
        return true;
    }

    public function read(string $id): string
    {
        $data = $this->rows()->where('uid', $id)->value('data');
        $this->exists = $data !== null;

        return $this->exists ? serialize(json_decode($data, true)) : '';
    }

    public function write(string $id, string $data): bool
    {
        $json = json_encode(unserialize($data));
        if ($this->exists) {
            $this->rows()->where('uid', $id)->update(['data' => $json]);
        } else {
            $this->exists = $this->rows()->insert(['uid' => $id, 'data' => $json]);
        }

        return true;
    }

    public function destroy(string $id): bool
    {
        $this->rows()->where('uid', $id)->delete();

        return true;
    }

    /** The table holds no times: nothing is ever too old. */
    public function gc(int $max_lifetime): int
    {
        return 0;
    }

    private function rows(): Builder
    {
        return $this->connection->table('usersessions');
    }
}
