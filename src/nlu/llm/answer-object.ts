/** Most opening braces tried within prose. */
const MAX_TRIES = 8;

/**
 * Extracts the JSON object of a model's answer: the whole text, or the first object within prose or a code fence.
 *
 * Shape: null when there is none
 */
export function answerObject(text: string): Record<string, unknown> | null {
  const whole = objectOf(text.trim());
  if (whole) return whole;
  let from = text.indexOf('{');
  for (let tries = 0; from >= 0 && tries < MAX_TRIES; tries += 1) {
    const end = closingBrace(text, from);
    const found = end < 0 ? null : objectOf(text.slice(from, end + 1));
    if (found) return found;
    from = text.indexOf('{', from + 1);
  }
  return null;
}

function objectOf(text: string): Record<string, unknown> | null {
  if (!text.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    // Prose that contains braces: the next candidate is tried.
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Finds the closing brace of the object that opens at `from`, ignoring braces within strings. */
function closingBrace(text: string, from: number): number {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}
