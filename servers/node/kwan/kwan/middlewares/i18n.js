/**
 * Chooses the language of each request, by the query's `parameter`, among those that `i18next` knows.
 *
 * Leaves `context.language`, and `context.t`, which translates into it.
 */
export function i18n(i18next, { parameter = 'lang' } = {}) {
  const languages = new Set(i18next.options.supportedLngs);
  const [fallback] = i18next.options.fallbackLng;
  const translators = new Map(
    [...languages].map((language) => [language, i18next.getFixedT(language)]),
  );

  return async (context, next) => {
    const asked = context.req.query.get(parameter);
    context.language = languages.has(asked) ? asked : fallback;
    context.t = translators.get(context.language);
    context.res.set('Content-Language', context.language);
    await next();
  };
}
