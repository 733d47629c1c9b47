/** Most values shown of one object. */
const MAX_SHOWN = 20;

/** The named values of a JSON object as facts, those without a value left out; what is nested is shown as JSON. */
export function valuesOf(json: unknown): [name: string, value: string][] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return [];
  return Object.entries(json)
    .flatMap(([name, value]): [string, string][] => (value === null || value === '' ? [] : [[name, textOf(value)]]))
    .slice(0, MAX_SHOWN);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
