/** Null for an empty message, undefined for what is not JSON: the edge says so to the sender. */
export function parseJson(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
