<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>The Dynamometer Blog</title><link rel="stylesheet" href="/css/style.css"></head>
<body>
<header class="site-header"><h1>The Dynamometer Blog</h1><nav><a href="/blog">Posts</a> <a href="/about">About</a></nav></header>
<main>
@foreach ($entries as $entry)
<article class="post"><h2>{{ $entry['post']['title'] }}</h2><img src="/images/{{ $entry['image']['file'] }}" alt="{{ $entry['image']['alt'] }}">
@foreach ($entry['post']['paragraphs'] as $paragraph)
<p>{{ $paragraph }}</p>
@endforeach
</article>
@endforeach
</main>
<footer class="site-footer"><p>Made for measuring: five posts, drawn at random for each request.</p></footer>
</body>
</html>
