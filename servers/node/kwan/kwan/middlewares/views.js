import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { compile } from 'ejs';

/** Renders EJS templates of the folder `root` by `context.render(name, values)`. */
export function views(root) {
  const compiled = new Map();

  const template = async (name) => {
    const filename = path.join(root, `${name}.ejs`);
    return compile(await readFile(filename, 'utf8'), { filename, compileDebug: false });
  };

  const render = async (name, values) => {
    // The promise is kept, so that requests that come at once compile a template only once.
    if (!compiled.has(name)) {
      const fresh = template(name);
      compiled.set(name, fresh);
      // What could not be read now is read again when it is next asked for.
      fresh.catch(() => compiled.delete(name));
    }
    const view = await compiled.get(name);
    return view(values);
  };

  return async (context, next) => {
    context.render = render;
    await next();
  };
}
