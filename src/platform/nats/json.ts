/** Null for an empty message, undefined for invalid JSON, which the edge reports to the sender. */
export function parseJson(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
