<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>The Dynamometer News</title></head>
<body>
<header class="site-header"><h1>The Dynamometer News</h1></header>
<main>
{{- range .articles}}
<article class="entry">
<h2>{{.Title}}</h2>
<p class="author">{{.Author}}</p>
<p>{{.Summary}}</p>
</article>
{{- end}}
</main>
<footer class="site-footer"><p>{{len .articles}} articles</p></footer>
</body>
</html>
