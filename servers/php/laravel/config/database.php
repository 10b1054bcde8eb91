<?php

return [
    'default' => 'pgsql',
    'connections' => [
        'pgsql' => [
            'driver' => 'pgsql',
            'host' => env('PGHOST'),
            'port' => env('PGPORT'),
            'database' => env('PGDATABASE'),
            'username' => env('PGUSER'),
            'password' => '',
            'charset' => 'utf8',
            'prefix' => '',
            'schema' => 'public',
            'sslmode' => 'prefer',
            // Kept by the worker from one request to the next, as the pools of other servers do.
            'options' => [PDO::ATTR_PERSISTENT => true],
        ],
        'mariadb' => [
            'driver' => 'mysql',
            'host' => env('MYSQL_HOST'),
            'port' => env('MYSQL_PORT'),
            'database' => env('MYSQL_DATABASE'),
            'username' => env('MYSQL_USER'),
            'password' => env('MYSQL_PASSWORD', ''),
            'charset' => 'utf8mb4',
            'collation' => 'utf8mb4_unicode_ci',
            'prefix' => '',
            'strict' => true,
            'options' => [PDO::ATTR_PERSISTENT => true],
        ],
    ],
];
