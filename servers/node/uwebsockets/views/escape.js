const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** `text` made safe for HTML, as content and as a quoted attribute. */
export function escape(text) {
  return text.replace(/[&<>"']/g, (character) => entities[character]);
}
