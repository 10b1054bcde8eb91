import { readFileSync } from 'node:fs';

import ejs from 'ejs';

/** The template `views/NAME.ejs`, compiled: a function from what it shows to a page. */
export function compiled(name) {
  return ejs.compile(readFileSync(new URL(`../views/${name}.ejs`, import.meta.url), 'utf8'));
}

export const HTML = { 'Content-Type': 'text/html; charset=utf-8' };
