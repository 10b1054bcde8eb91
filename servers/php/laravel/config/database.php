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
    ],
];
