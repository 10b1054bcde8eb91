<?php

return [
    'candidates' => explode(',', (string) env('WEBDYNO_SKUS')),
];
