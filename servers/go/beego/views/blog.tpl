<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>The Dynamometer Blog</title><link rel="stylesheet" href="/css/style.css"></head>
<body>
<header class="site-header"><h1>The Dynamometer Blog</h1><nav><a href="/blog">Posts</a> <a href="/about">About</a></nav></header>
<main>
{{- range .posts}}
<article class="post"><h2>{{.Title}}</h2><img src="/images/{{.Image.File}}" alt="{{.Image.Alt}}">
{{- range .Paragraphs}}<p>{{.}}</p>{{end -}}
</article>
{{- end}}
</main>
<footer class="site-footer"><p>Made for measuring: five posts, drawn at random for each request.</p></footer>
</body>
</html>
