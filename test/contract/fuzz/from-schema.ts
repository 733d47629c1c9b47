import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { JsonSchema } from '#test/support/openapi/schema-fault.ts';

export type Schemas = Readonly<Record<string, JsonSchema>>;

const MAX_ITEMS = 4;
const MAX_DEPTH = 6;
/** The seeded rows have the first ids. */
const SEEDED_IDS = 6;
const FAR_NUMBER = 2 ** 53 - 1;

/** Texts that the schema alone would not generate. */
const BY_NAME: Readonly<Record<string, readonly string[]>> = {
  phoneNumber: ['13800138000', '+86 138-0013-8001', '13900000001', '95588'],
  businessCode: ['demo-business', 'kb-audio-chat-business', 'other'],
  dialStringTemplate: ['sofia/external/{{destinationNumber}}@gateway'],
  workdayStart: ['09:00', '22:00'],
  workdayEnd: ['18:00', '06:00'],
  start: ['09:00', '22:00'],
  end: ['18:00', '06:00'],
  dates: ['2026-12-25', '2027-01-01'],
  recurringDates: ['12-25', '01-01'],
  workdayOverrides: ['2026-12-26'],
  cellId: ['cell-a', 'cell-b', ''],
  callKey: ['attempt:1', 'attempt:2', 'request:00000000-0000-4000-8000-000000000001'],
  requestId: ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'],
  customerUuid: ['00000000-0000-4000-8000-000000000003'],
  username: ['admin', 'fuzz-user', 'matrix'],
  password: ['test-admin-password', 'another-password'],
  phoneExtension: ['1001', '1002'],
  entryNodeId: ['n1'],
  country: ['CN', 'US'],
  timeZone: ['Asia/Shanghai', 'America/New_York'],
  dueAt: [new Date(Date.now() + 86_400_000).toISOString()],
  externalId: ['order-1', 'order-2'],
  packId: ['cn', 'us'],
  cron: ['0 8 * * 1-5', '*/5 * * * *', '0 8 * *'],
  measures: ['dials', 'dials,answer_rate,talk_seconds_p90'],
  groupBy: ['day', 'campaign,hour_of_day', 'agent_group,outcome,week'],
  orderBy: ['-dials', 'dials'],
  notBefore: ['', new Date(Date.now() + 86_400_000).toISOString()],
  notAfter: ['', new Date(Date.now() + 2 * 86_400_000).toISOString()],
  conferenceId: ['1', '2'],
  sessionId: ['1', '00000000-0000-4000-8000-000000000004'],
};

/** Values that the schema describes: small ones and its limits. */
export function valueOf(schema: JsonSchema, schemas: Schemas, name = '', depth = 0): Arbitrary<unknown> {
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    return valueOf(schemas[reference.replace('#/components/schemas/', '')] ?? {}, schemas, name, depth);
  }
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  const branches = schema['anyOf'] ?? schema['oneOf'];
  if (depth > MAX_DEPTH) return fc.constant(null);
  if (Array.isArray(branches)) return fc.oneof(...(branches as JsonSchema[]).map(branch => valueOf(branch, schemas, name, depth + 1)));
  return typedValue(schema, schemas, name, depth);
}

function typedValue(schema: JsonSchema, schemas: Schemas, name: string, depth: number): Arbitrary<unknown> {
  switch (schema['type']) {
    case 'object':
      return objectOf(schema, schemas, depth);
    case 'array':
      return arrayOf(schema, schemas, name, depth);
    case 'string':
      return textOf(schema, name);
    case 'integer':
      return integerOf(schema);
    case 'number':
      return fc.double({ min: lowest(schema), max: highest(schema), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectOf(schema: JsonSchema, schemas: Schemas, depth: number): Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const required = (schema['required'] ?? []) as string[];
  const known = fc.record(Object.fromEntries(properties.map(([name, member]) => [name, valueOf(member, schemas, name, depth + 1)])), {
    requiredKeys: required,
  });
  const extra = schema['additionalProperties'];
  if (typeof extra !== 'object' || extra === null) return known;
  const others = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), valueOf(extra as JsonSchema, schemas, '', depth + 1), {
    maxKeys: 3,
  });
  return fc.tuple(known, others).map(([first, rest]) => Object.fromEntries([...Object.entries(rest), ...Object.entries(Object(first))]));
}

function arrayOf(schema: JsonSchema, schemas: Schemas, name: string, depth: number): Arbitrary<unknown> {
  const minLength = Number(schema['minItems'] ?? 0);
  const maxLength = Math.max(minLength, Math.min(Number(schema['maxItems'] ?? MAX_ITEMS), MAX_ITEMS));
  return fc.array(valueOf((schema['items'] ?? {}) as JsonSchema, schemas, name, depth + 1), { minLength, maxLength });
}

function textOf(schema: JsonSchema, name: string): Arbitrary<string> {
  const minLength = Number(schema['minLength'] ?? 0);
  const maxLength = Math.min(Number(schema['maxLength'] ?? 40), 40);
  const free = fc.string({ unit: 'grapheme', minLength: Math.min(minLength, maxLength), maxLength });
  const hints = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : exampleOf(schema);
  if (hints) return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...hints) }, { weight: 1, arbitrary: free });
  if (schema['format'] === 'date-time' || name.endsWith('At')) {
    return fc.oneof(
      fc.constantFrom('2026-12-01T08:00:00.000Z', '2026-12-01 08:00', ''),
      fc.date({ noInvalidDate: true }).map(at => at.toISOString()),
    );
  }
  return free;
}

/** A text with a form that random ones never have, such as an instant, says so by its example. */
function exampleOf({ example }: JsonSchema): readonly string[] | undefined {
  return typeof example === 'string' ? [example] : undefined;
}

function integerOf(schema: JsonSchema): Arbitrary<number> {
  const [min, max] = [Math.ceil(lowest(schema)), Math.floor(highest(schema))];
  const from = Math.max(min, 1) > max ? min : Math.max(min, 1);
  return fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: from, max: Math.min(max, from + SEEDED_IDS) }) },
    { weight: 1, arbitrary: fc.integer({ min: Math.max(min, -FAR_NUMBER), max: Math.min(max, FAR_NUMBER) }) },
    { weight: 1, arbitrary: fc.constantFrom(Math.max(min, -FAR_NUMBER), Math.min(max, FAR_NUMBER)) },
  );
}

function lowest(schema: JsonSchema): number {
  if (typeof schema['exclusiveMinimum'] === 'number') return schema['exclusiveMinimum'] + 1;
  return typeof schema['minimum'] === 'number' ? schema['minimum'] : -FAR_NUMBER;
}

function highest(schema: JsonSchema): number {
  return typeof schema['maximum'] === 'number' ? schema['maximum'] : FAR_NUMBER;
}
