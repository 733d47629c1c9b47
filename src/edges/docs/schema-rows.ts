type Schema = Readonly<Record<string, unknown>>;

/** A member of a message, for the table of the page. */
export interface SchemaRow {
  /** `segment.text`, `events[].kind`. */
  path: string;
  type: string;
  required: boolean;
  description: string;
}

/** Deeper members are left to the JSON schema below the table. */
const MAX_DEPTH = 4;
const MAX_ROWS = 200;

/** The members of a schema, flattened; the variants of a union follow each other. `schemas` are the parts that it may refer to. */
export function schemaRows(schema: Schema, schemas: Readonly<Record<string, Schema>>): SchemaRow[] {
  const rows: SchemaRow[] = [];
  collect(schema, '', 0);
  const seen = new Set<string>();
  return rows.filter(({ path, type }) => !seen.has(`${path} ${type}`) && seen.add(`${path} ${type}`)).slice(0, MAX_ROWS);

  function collect(given: unknown, prefix: string, depth: number): void {
    const node = resolve(given, schemas);
    if (depth > MAX_DEPTH) return;
    for (const variant of variants(node)) collect(variant, prefix, depth);
    if (isObject(node['items'])) collect(node['items'], `${prefix}[]`, depth + 1);
    if (!isObject(node['properties'])) return;
    const required = new Set(Array.isArray(node['required']) ? node['required'] : []);
    for (const [name, member] of Object.entries(node['properties'])) {
      const path = prefix === '' ? name : `${prefix}.${name}`;
      rows.push({ path, type: typeOf(member, schemas), required: required.has(name), description: descriptionOf(member, schemas) });
      collect(member, path, depth + 1);
    }
  }
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function variants(node: Schema): unknown[] {
  return ['anyOf', 'oneOf', 'allOf'].flatMap(member => (Array.isArray(node[member]) ? node[member] : []));
}

function resolve(given: unknown, schemas: Readonly<Record<string, Schema>>): Schema {
  const node = isObject(given) ? given : {};
  const ref = node['$ref'];
  // Any JSON value has no members worth a row.
  if (typeof ref !== 'string' || ref.endsWith('/JsonValue')) return node;
  return schemas[ref.slice(ref.lastIndexOf('/') + 1)] ?? {};
}

function typeOf(given: unknown, schemas: Readonly<Record<string, Schema>>): string {
  const node = resolve(given, schemas);
  if (typeof node['$ref'] === 'string') return '任意 JSON';
  if ('const' in node) return JSON.stringify(node['const']);
  if (Array.isArray(node['enum'])) return node['enum'].map(value => JSON.stringify(value)).join(' | ');
  const parts = variants(node);
  if (parts.length > 0) return [...new Set(parts.map(part => typeOf(part, schemas)))].join(' | ');
  const { type } = node;
  if (type === 'array') return `${typeOf(node['items'], schemas)}[]`;
  return Array.isArray(type) ? type.join(' | ') : typeof type === 'string' ? type : '任意 JSON';
}

function descriptionOf(given: unknown, schemas: Readonly<Record<string, Schema>>): string {
  const own = isObject(given) ? given['description'] : undefined;
  if (typeof own === 'string') return own;
  const { description } = resolve(given, schemas);
  return typeof description === 'string' ? description : '';
}
