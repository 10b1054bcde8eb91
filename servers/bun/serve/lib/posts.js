import { pick, sample } from './random.js';

const POSTS_PER_PAGE = 5;

/** The posts and images in `folder`; gives what draws a page of them. */
export async function library(folder) {
  const posts = await Bun.file(`${folder}/posts.json`).json();
  const images = await Bun.file(`${folder}/images.json`).json();
  return () => sample(posts, POSTS_PER_PAGE).map((post) => ({ ...post, image: pick(images) }));
}
