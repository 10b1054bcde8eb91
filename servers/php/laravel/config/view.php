<?php

return [
    'paths' => [resource_path('views')],
    // Given by serve.sh: the folder of the source is not written to.
    'compiled' => env('VIEW_COMPILED_PATH'),
];
