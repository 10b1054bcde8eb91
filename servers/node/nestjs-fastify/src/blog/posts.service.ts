import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { Injectable, type OnModuleInit } from '@nestjs/common';

import { required } from '../environment.js';
import { randomInteger } from '../random.js';

const SHOWN = 5;

interface Post {
  title: string;
  paragraphs: string[];
}

interface Image {
  file: string;
  alt: string;
}

/** A post as the page shows it. */
export type IllustratedPost = Post & { image: Image };

@Injectable()
export class PostsService implements OnModuleInit {
  private posts: Post[] = [];
  private images: Image[] = [];

  async onModuleInit(): Promise<void> {
    const data = required('WEBDYNO_BLOG_DATA');
    this.posts = JSON.parse(await readFile(path.join(data, 'posts.json'), 'utf8'));
    this.images = JSON.parse(await readFile(path.join(data, 'images.json'), 'utf8'));
  }

  /** Five different posts in random order, each with an image. */
  draw(): IllustratedPost[] {
    const drawn = new Set<Post>();
    while (drawn.size < SHOWN) {
      drawn.add(pick(this.posts));
    }
    return [...drawn].map((post) => ({ ...post, image: pick(this.images) }));
  }
}

/** One element of `list`, each equally likely. */
function pick<T>(list: T[]): T {
  return list[randomInteger(0, list.length - 1)];
}
