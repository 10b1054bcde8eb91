/** Answers 200 with a page. */
export function page(html) {
  return new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** `text` as HTML that shows it. */
export function escapeHTML(text) {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]);
}
