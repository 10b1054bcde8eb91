import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { createInstance } from 'i18next';

/** An i18next with the translations of `folder`, a file such as `de.json` for each language. */
export async function loadTranslations(folder) {
  const resources = {};
  for (const file of await readdir(folder)) {
    const { name } = path.parse(file);
    resources[name] = { translation: JSON.parse(await readFile(path.join(folder, file), 'utf8')) };
  }
  const i18next = createInstance();
  await i18next.init({
    resources,
    supportedLngs: Object.keys(resources),
    fallbackLng: 'en',
    interpolation: { escapeValue: false }, // the template escapes
  });
  return i18next;
}
