<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>The Dynamometer News</title></head>
<body>
<header class="site-header"><h1>The Dynamometer News</h1></header>
<main>
@foreach ($articles as $article)
<article class="entry">
<h2>{{ $article->title }}</h2>
<p class="author">{{ $article->author }}</p>
<p>{{ $article->summary }}</p>
</article>
@endforeach
</main>
<footer class="site-footer"><p>{{ $articles->count() }} articles</p></footer>
</body>
</html>
