<?php

declare(strict_types=1);

/** The worker's connection: kept from one request to the next. */
function connect(): PDO
{
    return new PDO(
        sprintf('pgsql:host=%s;port=%s;dbname=%s', getenv('PGHOST'), getenv('PGPORT'), getenv('PGDATABASE')),
        getenv('PGUSER'),
        options: [PDO::ATTR_PERSISTENT => true],
    );
}
