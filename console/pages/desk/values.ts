/** Most values shown of one object. */
const MAX_SHOWN = 20;

/** The named values of a JSON object and of the objects in it as facts. Lists and what lies deeper is for programs, and left out. */
export function valuesOf(json: unknown): [name: string, value: string][] {
  return entriesOf(json)
    .flatMap(([name, value]) => (isObject(value) ? entriesOf(value) : [[name, value] as const]))
    .flatMap(([name, value]): [string, string][] => (isShown(value) ? [[name, String(value)]] : []))
    .slice(0, MAX_SHOWN);
}

function entriesOf(json: unknown): [name: string, value: unknown][] {
  return isObject(json) ? Object.entries(json) : [];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isShown(value: unknown): boolean {
  return value !== '' && ['string', 'number', 'boolean'].includes(typeof value);
}
