<?php

declare(strict_types=1);

const POSTS_PER_PAGE = 5;

/**
 * Different posts in random order, each with an image drawn on its own.
 *
 * @return list<array{post: array, image: array}>
 */
function drawPage(): array
{
    // Written when the server starts: arrays that opcache holds.
    ['posts' => $posts, 'images' => $images] = require getenv('LIBRARY');
    $drawn = array_rand($posts, POSTS_PER_PAGE);
    shuffle($drawn);

    return array_map(
        fn (int $post): array => ['post' => $posts[$post], 'image' => $images[array_rand($images)]],
        $drawn,
    );
}
