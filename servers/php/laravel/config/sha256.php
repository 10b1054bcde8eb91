<?php

return [
    'file' => env('WEBDYNO_FILE'),
];
