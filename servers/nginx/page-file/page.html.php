<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>The Dynamometer News</title></head>
<body>
<header class="site-header"><h1>The Dynamometer News</h1></header>
<main>
<?php foreach ($articles as $article): ?>
<article class="entry">
<h2><?= escape($article['title']) ?></h2>
<p class="author"><?= escape($article['author']) ?></p>
<p><?= escape($article['summary']) ?></p>
</article>
<?php endforeach ?>
</main>
<footer class="site-footer"><p><?= count($articles) ?> articles</p></footer>
</body>
</html>
