<?php

declare(strict_types=1);

require __DIR__ . '/../../lib/html.php';
require __DIR__ . '/../../lib/library.php';

$entries = drawPage();

header('Content-Type: text/html; charset=utf-8');
?>
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>The Dynamometer Blog</title><link rel="stylesheet" href="/css/style.css"></head>
<body>
<header class="site-header"><h1>The Dynamometer Blog</h1><nav><a href="/blog">Posts</a> <a href="/about">About</a></nav></header>
<main>
<?php foreach ($entries as ['post' => $post, 'image' => $image]): ?>
<article class="post"><h2><?= escape($post['title']) ?></h2><img src="/images/<?= escape($image['file']) ?>" alt="<?= escape($image['alt']) ?>">
<?php foreach ($post['paragraphs'] as $paragraph): ?>
<p><?= escape($paragraph) ?></p>
<?php endforeach ?>
</article>
<?php endforeach ?>
</main>
<footer class="site-footer"><p>Made for measuring: five posts, drawn at random for each request.</p></footer>
</body>
</html>
