import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { OpenApiJson } from '#test/support/openapi/answer-check.ts';
import type { JsonSchema } from '#test/support/openapi/schema-fault.ts';
import { type Schemas, valueOf } from './from-schema.ts';
import { damage, damaged, junkText, junkValue } from './junk.ts';
import { PROPER_BODIES } from './proper-bodies.ts';

/** One request as sent. */
export interface FuzzRequest {
  method: string;
  /** With its query, percent-encoded. */
  path: string;
  contentType: string | null;
  body: Buffer | null;
}

interface Parameter {
  in: string;
  name: string;
  schema?: JsonSchema;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: JsonSchema }> };
}

export interface FuzzRow {
  /** `POST /api/lines/{id}`. */
  name: string;
  requests: Arbitrary<FuzzRequest>;
}

/** Every route of the document, with requests generated from its schema. */
export function fuzzRows(document: OpenApiJson): FuzzRow[] {
  const schemas = document.components?.schemas ?? {};
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      requests: requestOf(method.toUpperCase(), path, operation as Operation, schemas),
    })),
  );
}

function requestOf(method: string, template: string, operation: Operation, schemas: Schemas): Arbitrary<FuzzRequest> {
  const parameters = operation.parameters ?? [];
  return fc
    .tuple(pathOf(template, parameters, schemas), queryOf(parameters, schemas), bodyOf(`${method} ${template}`, operation, schemas))
    .map(([path, query, { contentType, body }]) => ({ method, path: query === '' ? path : `${path}?${query}`, contentType, body }));
}

/** Segments that are not a valid encoding. */
const BROKEN_SEGMENTS = ['%', '%zz', '%00', '%ff', '%ed%a0%80', '%2e%2e', '%F0%9F%98%80', ';', '1%2F2'];

function pathOf(template: string, parameters: readonly Parameter[], schemas: Schemas): Arbitrary<string> {
  const segments = template.split('/').map((part): Arbitrary<string> => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return fc.constant(part);
    const schema = parameters.find(parameter => parameter.in === 'path' && parameter.name === name)?.schema ?? { type: 'string' };
    return fc.oneof(
      { weight: 24, arbitrary: fc.integer({ min: 1, max: 4 }).map(String) },
      { weight: 6, arbitrary: valueOf(schema, schemas, name).map(encoded) },
      { weight: 2, arbitrary: junkText.map(encoded) },
      { weight: 1, arbitrary: fc.constantFrom(...BROKEN_SEGMENTS) },
    );
  });
  return fc.tuple(...segments).map(parts => parts.map((part, index) => (index > 0 && part === '' ? '%20' : part)).join('/'));
}

function queryOf(parameters: readonly Parameter[], schemas: Schemas): Arbitrary<string> {
  const named = parameters.filter(parameter => parameter.in === 'query');
  const given = ({ name, schema = {} }: Parameter) => valueOf(schema, schemas, name).map(value => pair(name, value));
  const calm = named.map(parameter => fc.oneof(fc.constant(''), given(parameter)));
  // One filter alone is often proper, where of ten one is nearly always wrong.
  const few = fc.subarray(named, { maxLength: Math.min(1, named.length) }).chain(chosen => fc.tuple(...chosen.map(given)));
  const wild = named.map(({ name, schema = {} }) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      { weight: 3, arbitrary: fc.oneof(valueOf(schema, schemas, name), fc.integer({ min: 1, max: 3 })).map(value => pair(name, value)) },
      { weight: 2, arbitrary: junkText.map(text => pair(name, text)) },
      { weight: 1, arbitrary: fc.constantFrom(`${name}=1&${name}=2`, `${name}[a]=1`, `${name}=%zz`, name, `${name}=%ff`) },
    ),
  );
  const extra = fc.constantFrom('', '', '', '__proto__=1', 'constructor[prototype]=1', '=', '&&', '%=1');
  const joined = (parts: readonly string[]) => parts.filter(part => part !== '').join('&');
  return fc.oneof(few.map(joined), fc.tuple(...calm).map(joined), fc.tuple(extra, ...wild).map(joined));
}

function pair(name: string, value: unknown): string {
  return `${name}=${encoded(value)}`;
}

/** A lone surrogate has no encoding: its bytes are sent as a careless client would. */
function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return Array.from(text, letter => (letter.isWellFormed() ? encodeURIComponent(letter) : '%ED%A0%80')).join('');
}

type Body = Pick<FuzzRequest, 'contentType' | 'body'>;

const NO_BODY: Body = { contentType: null, body: null };
const JSON_TYPE = 'application/json';

function bodyOf(row: string, operation: Operation, schemas: Schemas): Arbitrary<Body> {
  const content = operation.requestBody?.content ?? {};
  if (content['multipart/form-data']) return formBody();
  const schema = content[JSON_TYPE]?.schema;
  if (!schema) return fc.oneof({ weight: 4, arbitrary: fc.constant(NO_BODY) }, { weight: 1, arbitrary: junkValue.map(jsonBody) });
  const samples = Object.hasOwn(PROPER_BODIES, row) ? PROPER_BODIES[row] : undefined;
  const made = valueOf(schema, schemas);
  const proper = samples ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...samples) }, { weight: 2, arbitrary: made }) : made;
  return fc.oneof(
    { weight: 6, arbitrary: proper.map(jsonBody) },
    { weight: 12, arbitrary: fc.tuple(proper, damage).map(([value, harm]) => jsonBody(damaged(value, harm))) },
    { weight: 3, arbitrary: fc.tuple(proper, damage, damage).map(([value, ...harms]) => jsonBody(harms.reduce(damaged, value))) },
    { weight: 2, arbitrary: junkValue.map(jsonBody) },
    { weight: 1, arbitrary: fc.constantFrom<Body>(NO_BODY, ...ROUGH_BODIES) },
  );
}

function jsonBody(value: unknown): Body {
  return { contentType: JSON_TYPE, body: Buffer.from(JSON.stringify(value) ?? '') };
}

const ROUGH_BODIES: readonly Body[] = [
  { contentType: JSON_TYPE, body: Buffer.from('{"name":') },
  { contentType: JSON_TYPE, body: Buffer.from('') },
  { contentType: JSON_TYPE, body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) },
  { contentType: JSON_TYPE, body: Buffer.from('['.repeat(5_000)) },
  { contentType: JSON_TYPE, body: Buffer.from(`${'['.repeat(3_000)}${']'.repeat(3_000)}`) },
  { contentType: JSON_TYPE, body: Buffer.from('{"a":1,"a":2,"__proto__":{"b":1}}') },
  { contentType: JSON_TYPE, body: Buffer.from('{"a":1e999}') },
  { contentType: JSON_TYPE, body: Buffer.from(`{"name":"${'x'.repeat(9 * 1024 * 1024)}"}`) },
  { contentType: 'text/plain', body: Buffer.from('{}') },
  { contentType: 'application/json; charset=gbk', body: Buffer.from('{}') },
  { contentType: 'multipart/form-data', body: Buffer.from('--x--') },
];

const BOUNDARY = 'fuzz-boundary';

/** An upload: a file of any bytes beside fields of any text. */
function formBody(): Arbitrary<Body> {
  const table = fc.constantFrom(
    '手机号,姓名\n13800138000,张三\n',
    'phone\tname\n13900000001\tx\n',
    '手机号\n"1380',
    '',
    '\n\n',
    '电话;备注\n1;=1+1\n',
  );
  const file = fc.oneof(
    { weight: 4, arbitrary: table.map(text => Buffer.from(text)) },
    fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes)),
  );
  const field = fc.tuple(
    fc.constantFrom('region', 'carrier', 'landline', 'mapping', 'dryRun', '__proto__', 'file'),
    fc.oneof(fc.constantFrom('CN', 'mobile,unicom', 'allow', 'reject', '{"phoneNumber":"手机号"}', '1', '0', '{'), junkText),
  );
  const form = fc
    .tuple(file, fc.array(field, { maxLength: 4 }), fc.constantFrom('file', 'file', 'file', 'other'))
    .map(([bytes, fields, name]) => ({
      contentType: `multipart/form-data; boundary=${BOUNDARY}`,
      body: formBytes(bytes, fields, name),
    }));
  return fc.oneof({ weight: 8, arbitrary: form }, { weight: 1, arbitrary: fc.constantFrom<Body>(NO_BODY, ...ROUGH_BODIES) });
}

function formBytes(file: Buffer, fields: readonly (readonly [string, string])[], name: string): Buffer {
  const texts = fields
    .map(([field, text]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${text}\r\n`)
    .join('');
  const head = `${texts}--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="a.csv"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}
