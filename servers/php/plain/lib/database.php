<?php

declare(strict_types=1);

/** The worker's connection: kept from one request to the next, unless CONNECT says otherwise. */
function connect(): PDO
{
    return new PDO(
        sprintf('pgsql:host=%s;port=%s;dbname=%s', getenv('PGHOST'), getenv('PGPORT'), getenv('PGDATABASE')),
        getenv('PGUSER'),
        options: [
            PDO::ATTR_PERSISTENT => getenv('CONNECT') !== 'each-request',
            // By default each statement is prepared, executed and dropped: three exchanges.
            PDO::PGSQL_ATTR_DISABLE_PREPARES => getenv('STATEMENTS') === 'unnamed',
        ],
    );
}
