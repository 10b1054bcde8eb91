import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { createInstance } from 'i18next';
import { LanguageDetector } from 'i18next-http-middleware';

/**
 * An i18next with the translations of `folder`, a file such as `de.json` for each language. The
 * query's `lang` chooses among them.
 */
export async function loadTranslations(folder) {
  const resources = {};
  for (const file of await readdir(folder)) {
    const { name } = path.parse(file);
    resources[name] = { translation: JSON.parse(await readFile(path.join(folder, file), 'utf8')) };
  }
  const i18next = createInstance();
  await i18next.use(LanguageDetector).init({
    resources,
    supportedLngs: Object.keys(resources),
    fallbackLng: 'en',
    detection: { order: ['querystring'], lookupQuerystring: 'lang', caches: false },
    interpolation: { escapeValue: false }, // the template escapes
  });
  return i18next;
}
