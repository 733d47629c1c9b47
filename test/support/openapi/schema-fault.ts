/** A schema of the OpenAPI document: JSON Schema 2020-12. */
export type JsonSchema = Record<string, unknown>;

export interface SchemaScope {
  /** `#/components/schemas` of the document. */
  components: Readonly<Record<string, JsonSchema>>;
}

/**
 * The first violation of the schema in a JSON value, `rows[0].id: …`; null when the value is valid.
 *
 * Why:    implements exactly the keywords that the document uses; any other keyword throws, so that none is silently ignored
 * Source: OCS 4, OpenAPI 3.1
 */
export function schemaFault(schema: JsonSchema, value: unknown, scope: SchemaScope, path = ''): string | null {
  for (const [keyword, rule] of Object.entries(schema)) {
    if (ANNOTATIONS.has(keyword)) continue;
    const check = KEYWORDS[keyword];
    if (!check) throw new Error(`the check does not know the keyword ${keyword}`);
    const fault = check(rule, value, { scope, path, schema });
    if (fault !== null) return fault;
  }
  return null;
}

interface Place {
  scope: SchemaScope;
  path: string;
  schema: JsonSchema;
}

/** Declared as a method so that each keyword can give `rule` its own type. */
interface Keyword {
  check(rule: unknown, value: unknown, place: Place): string | null;
}
type Check = Keyword['check'];

/** Keywords without a check. `format` is among them because the document adds a pattern or range to each format. */
const ANNOTATIONS = new Set([
  'description',
  'title',
  'default',
  'id',
  'example',
  'examples',
  'format',
  'contentEncoding',
  'x-maxJsonLength',
]);

const KEYWORDS: Readonly<Record<string, Check>> = {
  $ref: (reference: string, value, { scope, path }) => schemaFault(resolved(reference, scope), value, scope, path),
  type: (types: string | string[], value, place) =>
    [types].flat().some(type => isOfType(type, value))
      ? null
      : told(place, `is ${JSON.stringify(value)}, not ${[types].flat().join(' or ')}`),
  const: (only: unknown, value, place) => (value === only ? null : told(place, `is ${JSON.stringify(value)}, not ${JSON.stringify(only)}`)),
  enum: (values: unknown[], value, place) =>
    values.includes(value) ? null : told(place, `is ${JSON.stringify(value)}, none of ${values.join(', ')}`),
  pattern: (pattern: string, value, place) =>
    typeof value !== 'string' || new RegExp(pattern, 'u').test(value)
      ? null
      : told(place, `is ${JSON.stringify(value)}, unlike ${pattern}`),
  minimum: (least: number, value, place) => numberFault(value, place, number => number >= least, `below ${least}`),
  maximum: (most: number, value, place) => numberFault(value, place, number => number <= most, `above ${most}`),
  exclusiveMinimum: (bound: number, value, place) => numberFault(value, place, number => number > bound, `not above ${bound}`),
  exclusiveMaximum: (bound: number, value, place) => numberFault(value, place, number => number < bound, `not below ${bound}`),
  minLength: (least: number, value, place) =>
    typeof value !== 'string' || value.length >= least ? null : told(place, `is shorter than ${least}`),
  maxLength: (most: number, value, place) =>
    typeof value !== 'string' || value.length <= most ? null : told(place, `is longer than ${most}`),
  minItems: (least: number, value, place) =>
    !Array.isArray(value) || value.length >= least ? null : told(place, `has fewer than ${least} items`),
  maxItems: (most: number, value, place) =>
    !Array.isArray(value) || value.length <= most ? null : told(place, `has more than ${most} items`),
  items: (item: JsonSchema, value, { scope, path }) =>
    Array.isArray(value) ? first(value.entries(), ([index, one]) => schemaFault(item, one, scope, `${path}[${index}]`)) : null,
  required: (names: string[], value, place) =>
    isRecord(value) ? first(names, name => (Object.hasOwn(value, name) ? null : told(place, `lacks ${name}`))) : null,
  properties: (members: Record<string, JsonSchema>, value, { scope, path }) =>
    isRecord(value)
      ? first(Object.entries(members), ([name, member]) =>
          Object.hasOwn(value, name) ? schemaFault(member, value[name], scope, path === '' ? name : `${path}.${name}`) : null,
        )
      : null,
  additionalProperties: (rule: boolean | JsonSchema, value, place) => (isRecord(value) ? extraFault(rule, value, place) : null),
  propertyNames: (rule: JsonSchema, value, { scope, path }) =>
    isRecord(value) ? first(Object.keys(value), name => schemaFault(rule, name, scope, `${path}{${name}}`)) : null,
  anyOf: (branches: JsonSchema[], value, place) => branchFault(branches, value, place),
  oneOf: (branches: JsonSchema[], value, place) => branchFault(branches, value, place),
  allOf: (branches: JsonSchema[], value, { scope, path }) => first(branches, branch => schemaFault(branch, value, scope, path)),
};

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function extraFault(rule: boolean | JsonSchema, value: Record<string, unknown>, place: Place): string | null {
  const known = isRecord(place.schema['properties']) ? place.schema['properties'] : {};
  const extra = Object.keys(value).filter(name => !Object.hasOwn(known, name));
  if (rule === false) return extra.length === 0 ? null : told(place, `has ${extra.join(', ')}, of which the document does not tell`);
  if (rule === true) return null;
  return first(extra, name => schemaFault(rule, value[name], place.scope, place.path === '' ? name : `${place.path}.${name}`));
}

function branchFault(branches: readonly JsonSchema[], value: unknown, { scope, path }: Place): string | null {
  const faults = branches.map(branch => schemaFault(branch, value, scope, path));
  return faults.includes(null) ? null : faults.join(' | ');
}

function numberFault(value: unknown, place: Place, holds: (number: number) => boolean, problem: string): string | null {
  return typeof value !== 'number' || holds(value) ? null : told(place, `is ${value}, ${problem}`);
}

function first<T>(items: Iterable<T>, faultOf: (item: T) => string | null): string | null {
  for (const item of items) {
    const fault = faultOf(item);
    if (fault !== null) return fault;
  }
  return null;
}

function resolved(reference: string, { components }: SchemaScope): JsonSchema {
  const schema = components[reference.replace('#/components/schemas/', '')];
  if (!schema) throw new Error(`${reference} leads nowhere`);
  return schema;
}

function told({ path }: Place, problem: string): string {
  return `${path || 'the value'} ${problem}`;
}
