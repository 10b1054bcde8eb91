<?php

declare(strict_types=1);

/** The worker's connection to MariaDB: kept from one request to the next, unless CONNECT says otherwise. */
function connectToMariaDb(): PDO
{
    return new PDO(
        sprintf(
            'mysql:host=%s;port=%s;dbname=%s;charset=utf8mb4',
            getenv('MYSQL_HOST'),
            getenv('MYSQL_PORT'),
            getenv('MYSQL_DATABASE'),
        ),
        getenv('MYSQL_USER'),
        getenv('MYSQL_PASSWORD') ?: '',
        [
            PDO::ATTR_PERSISTENT => getenv('CONNECT') !== 'each-request',
            // By default PDO would write the values into the statement's text.
            PDO::ATTR_EMULATE_PREPARES => false,
        ],
    );
}
