import { z } from 'zod';

type Json = Readonly<Record<string, unknown>>;

/** Member of a schema's meta: the documents name another schema in its place, which says more than is checked. */
export const TOLD_AS = 'x-told-as';

/** The only part without a name of its own is `z.json()`, which refers to itself. */
const JSON_VALUE = 'JsonValue';

/** A schema and the parts that it refers to, each with a place of its own under components. */
export function schemasOf(name: string, schema: z.ZodType): Record<string, Json> {
  const {
    $schema: _dialect,
    definitions = {},
    ...own
  } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  const parts = Object.entries(Object(definitions) as Json).map(([part, content]) => [partName(part), placed(content)] as const);
  // A schema with a name is a part itself, and what stands beside the parts only refers to it.
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
  const told: unknown = Reflect.get(value, TOLD_AS);
  if (typeof told === 'string') return { $ref: `#/components/schemas/${told}` };
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, isRef(key, member) ? movedRef(member) : withRefs(member)]));
}

function isRef(key: string, member: unknown): member is string {
  return key === '$ref' && typeof member === 'string';
}

function movedRef(ref: string): string {
  return `#/components/schemas/${partName(ref.slice('#/definitions/'.length))}`;
}
