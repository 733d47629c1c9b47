/** Undefined for what is not JSON: the edge says so to the sender. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
