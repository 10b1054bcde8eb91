<?php

return [
    'data' => env('WEBDYNO_BLOG_DATA'),
];
