import { z } from 'zod';

type Json = Readonly<Record<string, unknown>>;

/** Key in the meta of a schema: the documents refer to the named schema instead, which describes more than is validated. */
export const DOCUMENTED_AS = 'x-documented-as';

/** Name of the only anonymous part: `z.json()`, which refers to itself. */
const JSON_VALUE = 'JsonValue';

/** Converts a schema to JSON Schema; it and each part that it refers to become components of their own. */
export function schemasOf(name: string, schema: z.ZodType): Record<string, Json> {
  const {
    $schema: _dialect,
    definitions = {},
    ...own
  } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  const parts = Object.entries(Object(definitions) as Json).map(([part, content]) => [partName(part), placed(content)] as const);
  // A schema with an id is emitted among the parts, and the top level only refers to it.
  return { [name]: placed(own), ...Object.fromEntries(parts) };
}

function placed(schema: unknown): Json {
  const { id: _id, ...rest } = Object(schema) as Json;
  return withRefs(rest) as Json;
}

function partName(part: string): string {
  return part.startsWith('__') ? JSON_VALUE : part;
}

function withRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withRefs);
  if (typeof value !== 'object' || value === null) return value;
  const documented: unknown = Reflect.get(value, DOCUMENTED_AS);
  if (typeof documented === 'string') return { $ref: `#/components/schemas/${documented}` };
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, isRef(key, member) ? movedRef(member) : withRefs(member)]));
}

function isRef(key: string, member: unknown): member is string {
  return key === '$ref' && typeof member === 'string';
}

function movedRef(ref: string): string {
  return `#/components/schemas/${partName(ref.slice('#/definitions/'.length))}`;
}
