type Schema = Readonly<Record<string, unknown>>;

/** A member of a message, as a row of the page's table. */
export interface SchemaRow {
  /** For example `segment.text` or `events[].kind`. */
  path: string;
  /** Contains the names of other schemas unchanged. */
  type: string;
  required: boolean;
  description: string;
}

/** Deeper members appear only in the document itself. */
const MAX_DEPTH = 4;
const MAX_ROWS = 200;

/** Members of a schema, flattened; variants of a union follow each other. A named schema is not expanded, because it has its own table. */
export function schemaRows(schema: Schema): SchemaRow[] {
  const rows: SchemaRow[] = [];
  collect(schema, '', 0);
  const seen = new Set<string>();
  return rows.filter(({ path, type }) => !seen.has(`${path} ${type}`) && seen.add(`${path} ${type}`)).slice(0, MAX_ROWS);

  function collect(given: unknown, prefix: string, depth: number): void {
    if (!isObject(given) || depth > MAX_DEPTH) return;
    for (const variant of variants(given)) collect(variant, prefix, depth);
    if (isObject(given['items'])) collect(given['items'], `${prefix}[]`, depth + 1);
    if (!isObject(given['properties'])) return;
    const required = new Set(Array.isArray(given['required']) ? given['required'] : []);
    for (const [name, member] of Object.entries(given['properties'])) {
      const path = prefix === '' ? name : `${prefix}.${name}`;
      rows.push({ path, type: schemaType(member), required: required.has(name), description: descriptionOf(member) });
      collect(member, path, depth + 1);
    }
  }
}

/** For example `string`, `"a" | "b"`, `ProgressEvent[]` or `{ [key]: RuntimeNode }`. */
export function schemaType(given: unknown): string {
  if (!isObject(given)) return ANY;
  const ref = given['$ref'];
  if (typeof ref === 'string') return refName(ref);
  if ('const' in given) return JSON.stringify(given['const']);
  if (Array.isArray(given['enum'])) return given['enum'].map(value => JSON.stringify(value)).join(' | ');
  const parts = variants(given);
  if (parts.length > 0) return [...new Set(parts.map(schemaType))].join(' | ');
  const { type } = given;
  if (type === 'array') return listType(schemaType(given['items']));
  if (type === 'object' && isRecord(given)) return `{ [键]: ${schemaType(given['additionalProperties'])} }`;
  return Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : ANY;
}

const ANY = '任意 JSON';

/** A value that may be any JSON has no members to list. */
function refName(ref: string): string {
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  return name === 'JsonValue' ? ANY : name;
}

function listType(items: string): string {
  return items.includes(' | ') ? `(${items})[]` : `${items}[]`;
}

function isRecord({ properties, additionalProperties }: Schema): boolean {
  return properties === undefined && isObject(additionalProperties);
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function variants(node: Schema): unknown[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap(member => (Array.isArray(node[member]) ? node[member] : []));
}

function descriptionOf(given: unknown): string {
  const own = isObject(given) ? given['description'] : undefined;
  return typeof own === 'string' ? own : '';
}
