<?php

declare(strict_types=1);

/** The worker's connection: kept from one request to the next, unless CONNECT says otherwise. */
function connect(): PDO
{
    // Its name in the class PDO is deprecated since PHP 8.5; the class of the driver is there since 8.4.
    $unprepared = class_exists(Pdo\Pgsql::class)
        ? Pdo\Pgsql::ATTR_DISABLE_PREPARES
        : PDO::PGSQL_ATTR_DISABLE_PREPARES;

    return new PDO(
        sprintf('pgsql:host=%s;port=%s;dbname=%s', getenv('PGHOST'), getenv('PGPORT'), getenv('PGDATABASE')),
        getenv('PGUSER'),
        options: [
            PDO::ATTR_PERSISTENT => getenv('CONNECT') !== 'each-request',
            // By default each statement is prepared, executed and dropped: three exchanges.
            $unprepared => getenv('STATEMENTS') === 'unnamed',
        ],
    );
}
