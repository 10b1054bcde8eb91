import { readFile } from 'node:fs/promises';
import path from 'node:path';

import send from '@polka/send-type';
import sirv from 'sirv';

import { application } from '../lib/application.js';
import { required } from '../lib/environment.js';
import { HTML, compiled } from '../lib/pages.js';
import { pick, sample } from '../lib/random.js';

const data = required('WEBDYNO_BLOG_DATA');
const posts = JSON.parse(await readFile(path.join(data, 'posts.json'), 'utf8'));
const images = JSON.parse(await readFile(path.join(data, 'images.json'), 'utf8'));
const page = compiled('blog');

const drawn = () => sample(posts, 5).map((post) => ({ ...post, image: pick(images) }));

const app = application();
app.use(sirv(path.join(data, 'static'), { etag: true }));

app.get('/blog', (request, response) => {
  send(response, 200, page({ posts: drawn() }), HTML);
});

export default app;
