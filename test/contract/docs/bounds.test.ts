import { setFlagsFromString } from 'node:v8';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { RouteContract } from '#platform/http/route.ts';
import { openApiDocument, openApiPath } from '#platform/docs/openapi.ts';
import { everyRoute } from '#test/support/every-route.ts';
import type { JsonSchema } from '#test/support/openapi/schema-fault.ts';

/** Longer than any text, list or value that a route accepts, except a policy's. */
const FAR_TOO_LONG = 5 * 1024 * 1024;

// A process with much code of regular expressions compiles further ones without optimisation: those need a stack that grows with the text.
beforeAll(() => setFlagsFromString('--no-regexp-optimization'));
afterAll(() => setFlagsFromString('--regexp-optimization'));

/** One place in a request that a client fills. */
interface Place {
  at: string;
  schema: JsonSchema;
}

type Components = Readonly<Record<string, JsonSchema>>;

/** Every schema below one, each named by its path; schemas inside a value bounded by its JSON length are skipped. */
function placesOf(given: JsonSchema, at: string, components: Components, within: readonly JsonSchema[] = []): Place[] {
  if (given['x-maxJsonLength'] !== undefined) return [{ at, schema: given }];
  const schema = typeof given['$ref'] === 'string' ? (components[given['$ref'].split('/').at(-1) ?? ''] ?? {}) : given;
  if (within.includes(schema)) return [];
  const own = { at, schema };
  const inner = (each: unknown, name: string) => placesOf(Object(each) as JsonSchema, name, components, [...within, schema]);
  const members = Object.entries(Object(schema['properties']) as object).flatMap(([name, member]) => inner(member, `${at}.${name}`));
  const extra = typeof schema['additionalProperties'] === 'object' ? inner(schema['additionalProperties'], `${at}.*`) : [];
  const names = typeof schema['propertyNames'] === 'object' ? inner(schema['propertyNames'], `${at}{name}`) : [];
  const items = schema['items'] === undefined ? [] : inner(schema['items'], `${at}[]`);
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap(word => ((schema[word] ?? []) as unknown[]).flatMap(branch => inner(branch, at)));
  return [own, ...members, ...extra, ...names, ...items, ...branches];
}

const isText = ({ type }: JsonSchema) => [type].flat().includes('string');
/** A pattern without a length is a bound by itself when it matches nothing this long. */
const endsPattern = ({ pattern }: JsonSchema) =>
  typeof pattern === 'string' &&
  pattern.startsWith('^') &&
  pattern.endsWith('$') &&
  !/[*+]|\{\d+,\}/.test(pattern.replaceAll(/\[[^\]]*\]|\\./g, '_'));
const isEnded = (schema: JsonSchema) =>
  ['maxLength', 'enum', 'const', 'x-maxJsonLength'].some(word => schema[word] !== undefined) ||
  schema['format'] === 'binary' ||
  endsPattern(schema);

/** The unbounded part of a place; null when everything is bounded. */
function openness({ schema }: Place): string | null {
  if (schema['x-maxJsonLength'] !== undefined) return null;
  if (isText(schema) && !isEnded(schema)) return 'a text';
  if ([schema['type']].flat().includes('array') && schema['maxItems'] === undefined) return 'a list';
  const isSaid = ['type', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not'].some(word => schema[word] !== undefined);
  return isSaid ? null : 'anything';
}

describe('everything that a REST client may send is bounded [D2.2]', () => {
  let routes: RouteContract[];
  let places: Place[];

  beforeAll(async () => {
    routes = await everyRoute();
    const { paths = {}, components } = openApiDocument(routes, '1.2.3') as { paths?: object; components?: { schemas?: Components } };
    const schemas = components?.schemas ?? {};
    places = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, Record<string, unknown>>).flatMap(([method, { parameters = [], requestBody }]) => {
        const row = `${method.toUpperCase()} ${path}`;
        const given = (parameters as { name: string; schema: JsonSchema }[]).flatMap(({ name, schema }) =>
          placesOf(schema, `${row} ?${name}`, schemas),
        );
        const bodies = Object.values(
          Object((requestBody as { content?: object } | undefined)?.content) as Record<string, { schema: JsonSchema }>,
        );
        return [...given, ...bodies.flatMap(({ schema }) => placesOf(schema, row, schemas))];
      }),
    );
  });

  test('the document bounds every text, list and free-form value', () => {
    expect(places.filter(({ schema }) => isText(schema)).length).toBeGreaterThan(200);
    expect(places.flatMap(place => (openness(place) === null ? [] : [`${place.at} takes ${openness(place)} without an end`]))).toEqual([]);
  });

  test('a text far too long is refused as a parameter of every route', () => {
    const long = '1'.repeat(FAR_TOO_LONG);
    const open = routes.flatMap(({ method, path, params, query }) =>
      [params, query].flatMap(schema => {
        if (!schema) return [];
        const names = shapeOf(schema);
        return names.filter(name => !refuses(schema, name, long)).map(name => `${method} ${openApiPath(path)} ?${name}`);
      }),
    );
    expect(open).toEqual([]);
  });

  test('a text far too long is refused as a member of every body', () => {
    const long = 'a'.repeat(FAR_TOO_LONG);
    const open = routes.flatMap(({ method, path, body }) => {
      const names = body ? shapeOf(body).filter(name => name !== 'file') : [];
      return names.flatMap(name =>
        [long, [long], { long }].filter(value => body && !refuses(body, name, value)).map(() => `${method} ${path} ${name}`),
      );
    });
    expect(open).toEqual([]);
  });
});

type Schema = NonNullable<RouteContract['body']>;

/** Names of the members of an object, whatever transforms follow. */
function shapeOf(schema: Schema): string[] {
  const { shape, in: input } = Object(Reflect.get(schema, 'def')) as { shape?: object; in?: Schema };
  return shape ? Object.keys(shape) : input ? shapeOf(input) : [];
}

/** Whether the member itself is reported as invalid, or dropped, whatever else the input lacks. */
function refuses(schema: Schema, name: string, value: unknown): boolean {
  const { error, data } = schema.safeParse({ [name]: value });
  if (!error) return JSON.stringify(data).length < FAR_TOO_LONG;
  if (error.issues.some(({ path, code }) => path[0] === name || (code === 'invalid_union' && path.length === 0))) return true;
  const member = Reflect.get(Object(Reflect.get(schema, 'shape')), name) as Schema | undefined;
  return member !== undefined && refuses(z.object({ member }), 'member', value);
}
