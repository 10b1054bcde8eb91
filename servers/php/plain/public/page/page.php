<?php

declare(strict_types=1);

require __DIR__ . '/../../lib/database.php';
require __DIR__ . '/../../lib/html.php';

$articles = connect()
    ->query('SELECT title, author, summary FROM articles ORDER BY number')
    ->fetchAll(PDO::FETCH_ASSOC);

header('Content-Type: text/html; charset=utf-8');
?>
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
