<?php

namespace App\Blog;

use RuntimeException;
use Symfony\Contracts\Cache\CacheInterface;

/** The posts and images that the blog draws its pages from. */
final class Library
{
    private const POSTS_PER_PAGE = 5;

    public function __construct(private CacheInterface $library, private string $blogData)
    {
    }

    /**
     * Different posts in random order, each with an image drawn on its own.
     *
     * @return list<array{post: array, image: array}>
     */
    public function drawPage(): array
    {
        $posts = $this->read('posts');
        $images = $this->read('images');
        if (count($posts) < self::POSTS_PER_PAGE || $images === []) {
            throw new RuntimeException('a page needs ' . self::POSTS_PER_PAGE . ' posts and an image');
        }
        $drawn = array_rand($posts, self::POSTS_PER_PAGE);
        shuffle($drawn);

        return array_map(
            fn (int $post): array => ['post' => $posts[$post], 'image' => $images[array_rand($images)]],
            $drawn,
        );
    }

    /** What a file holds, which is read once and not for each request. */
    private function read(string $name): array
    {
        return $this->library->get($name, fn (): array => json_decode(
            file_get_contents("$this->blogData/$name.json"),
            true,
            flags: JSON_THROW_ON_ERROR,
        ));
    }
}
