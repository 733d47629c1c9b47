/** Escapes text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}

/** JSON, indented by two spaces and escaped for `<pre>`. */
export function jsonHtml(value: unknown): string {
  return escapeHtml(JSON.stringify(value, null, 2));
}
