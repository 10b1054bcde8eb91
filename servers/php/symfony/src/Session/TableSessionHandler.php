<?php

namespace App\Session;

use Doctrine\DBAL\Connection;
use Symfony\Component\HttpFoundation\Session\Storage\Handler\AbstractSessionHandler;

/**
 * Keeps sessions in the table usersessions: the id in `uid`, the attributes as JSON in `data`, beside
 * what Symfony notes of each session.
 *
 * Symfony's PdoSessionHandler needs columns for times, which the table has not, and writes what PHP
 * serialises.
 */
final class TableSessionHandler extends AbstractSessionHandler
{
    private const ATTRIBUTES = '_sf2_attributes';

    private bool $exists = false;

    public function __construct(private Connection $connection)
    {
    }

    public function close(): bool
    {
        return true;
    }

    /** The table holds no times: nothing is ever too old. */
    public function gc(int $max_lifetime): int|false
    {
        return 0;
    }

    public function updateTimestamp(string $id, string $data): bool
    {
        return true;
    }

    protected function doRead(string $sessionId): string
    {
        $data = $this->connection->fetchOne('SELECT data FROM usersessions WHERE uid = ?', [$sessionId]);
        $this->exists = $data !== false;
        if (!$this->exists) {
            return '';
        }
        $attributes = json_decode($data, true, flags: JSON_THROW_ON_ERROR);
        $bags = array_filter($attributes, fn (string $key) => str_starts_with($key, '_sf2_'), ARRAY_FILTER_USE_KEY);

        return serialize([self::ATTRIBUTES => array_diff_key($attributes, $bags)] + $bags);
    }

    protected function doWrite(string $sessionId, string $data): bool
    {
        $bags = unserialize($data, ['allowed_classes' => false]);
        $attributes = $bags[self::ATTRIBUTES] ?? [];
        unset($bags[self::ATTRIBUTES]);
        $row = ['data' => json_encode($attributes + $bags, JSON_THROW_ON_ERROR)];
        if ($this->exists) {
            $this->connection->update('usersessions', $row, ['uid' => $sessionId]);
        } else {
            $this->connection->insert('usersessions', ['uid' => $sessionId] + $row);
            $this->exists = true;
        }

        return true;
    }

    protected function doDestroy(string $sessionId): bool
    {
        $this->connection->delete('usersessions', ['uid' => $sessionId]);

        return true;
    }
}
