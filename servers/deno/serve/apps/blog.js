import { escapeHTML, page } from '../lib/answer.js';
import { required } from '../lib/environment.js';
import { pick, sample } from '../lib/random.js';

const folder = required('WEBDYNO_BLOG_DATA');
const posts = JSON.parse(await Deno.readTextFile(`${folder}/posts.json`));
const images = JSON.parse(await Deno.readTextFile(`${folder}/images.json`));

const MEDIA_TYPES = { css: 'text/css; charset=utf-8', png: 'image/png' };

const article = ({ title, image, paragraphs }) => `
    <article class="post">
      <h2>${escapeHTML(title)}</h2>
      <img src="/images/${escapeHTML(image.file)}" alt="${escapeHTML(image.alt)}">
      ${paragraphs.map((text) => `<p>${escapeHTML(text)}</p>`).join('\n      ')}
    </article>`;

const blog = (drawn) => `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>The Dynamometer Blog</title>
  <link rel="stylesheet" href="/css/style.css">
</head>
<body>
  <header class="site-header">
    <h1>The Dynamometer Blog</h1>
    <nav><a href="/blog">Posts</a> <a href="/about">About</a></nav>
  </header>
  <main>${drawn.map(article).join('')}
  </main>
  <footer class="site-footer">
    <p>Made for measuring: five posts, drawn at random for each request.</p>
  </footer>
</body>
</html>
`;

function show() {
  return page(blog(sample(posts, 5).map((post) => ({ ...post, image: pick(images) }))));
}

/** A route for each file below the folder, served below `path`; they do not change. */
async function* routes(path) {
  for await (const { name, isDirectory } of Deno.readDir(`${folder}/static${path}`)) {
    const where = `${path}/${name}`;
    if (isDirectory) {
      yield* routes(where);
    } else {
      const bytes = await Deno.readFile(`${folder}/static${where}`);
      const type = MEDIA_TYPES[name.split('.').pop()] ?? 'application/octet-stream';
      yield [`GET ${where}`, () => new Response(bytes, { headers: { 'Content-Type': type } })];
    }
  }
}

export default {
  ...Object.fromEntries(await Array.fromAsync(routes(''))),
  'GET /blog': show,
};
