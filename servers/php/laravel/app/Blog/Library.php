<?php

namespace App\Blog;

use Illuminate\Support\Arr;
use Illuminate\Support\Collection;
use Illuminate\Support\Facades\Cache;

/** The posts and images that the blog draws its pages from. */
class Library
{
    private const POSTS_PER_PAGE = 5;

    /** Different posts in random order, each with an image drawn on its own. */
    public function drawPage(): Collection
    {
        $images = $this->read('images');

        return collect($this->read('posts'))
            ->shuffle()
            ->take(self::POSTS_PER_PAGE)
            ->map(fn (array $post): array => ['post' => $post, 'image' => Arr::random($images)]);
    }

    /** What a file holds, which is decoded once and not for each request. */
    private function read(string $name): array
    {
        return Cache::rememberForever("blog.$name", fn (): array => json_decode(
            file_get_contents(config('blog.data') . "/$name.json"),
            true,
            flags: JSON_THROW_ON_ERROR,
        ));
    }
}
