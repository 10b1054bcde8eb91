<?php

return [
    'default' => 'file',
    'stores' => [
        'file' => [
            'driver' => 'file',
            // Given by serve.sh: the folder of the source is not written to.
            'path' => env('CACHE_PATH'),
        ],
    ],
];
