import { describe, expect, test } from '@jest/globals';
import {
  getNamedType,
  getNullableType,
  type GraphQLFieldResolver,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';
import { type ArgumentBound, type Bounded, boundOf } from '#platform/graphql/argument-bounds.ts';
import { isCalloutError } from '#kernel/errors.ts';
import { builtInAdmin } from '#kernel/caller.ts';
import { createSchema } from '#serve/graphql-edge.ts';

const schema = createSchema();

/** An argument or input member of text, JSON or list type: the path to it and its bound. */
interface Place {
  field: string;
  path: readonly Bounded[];
  bound: ArgumentBound;
}

/** Every place in arguments and input objects; a recursive input type is visited once. */
function placesOf(of: GraphQLSchema): Place[] {
  const places: Place[] = [];
  const walk = (field: string, path: readonly Bounded[], within: readonly GraphQLInputType[]) => {
    const last = path.at(-1) as Bounded;
    const named = getNamedType(last.type);
    places.push({ field, path, bound: boundOf(last) });
    if (!isInputObjectType(named) || within.includes(named)) return;
    for (const member of Object.values(named.getFields())) walk(field, [...path, member], [...within, named]);
  };
  for (const type of Object.values(of.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) for (const arg of field.args) walk(`${type.name}.${field.name}`, [arg], []);
  }
  return places;
}

const places = placesOf(schema);

/** Arguments with `value` at the end of the path; a place of list type on the way becomes a list of one. */
function nested([place, ...rest]: readonly Bounded[], value: unknown): unknown {
  if (!place) return value;
  const inner = rest.length === 0 ? value : nested(rest, value);
  const own = rest.length > 0 && isListType(getNullableType(place.type)) ? [inner] : inner;
  return { [place.name]: own };
}

const admin = builtInAdmin({ ip: null, traceId: 'test' });

/** Refusal by the guard. A resolver that passes the guard fails differently, because it has no dependencies here. */
async function refusalOf({ field, path }: Place, value: unknown): Promise<string> {
  const [typeName = '', name = ''] = field.split('.');
  const type = schema.getType(typeName);
  const of = isObjectType(type) ? type.getFields()[name] : undefined;
  const resolve = (of?.subscribe ?? of?.resolve) as GraphQLFieldResolver<unknown, unknown> | undefined;
  try {
    const context = { caller: admin, deps: {}, loaders: {}, forget: () => undefined };
    await resolve?.({}, nested(path, value), context, { path: { key: name }, fieldName: name } as never);
  } catch (error) {
    return isCalloutError(error, 'INVALID_ARGUMENT') ? error.message : 'let through';
  }
  return 'let through';
}

const named = ({ field, path }: Place) => `${field}(${path.map(({ name }) => name).join('.')})`;
const isList = ({ path }: Place) => isListType(getNullableType(path.at(-1)?.type));
const scalarOf = ({ path }: Place) => getNamedType(path.at(-1)?.type)?.name ?? '';
const isText = (place: Place) => ['String', 'ID', 'JSON'].includes(scalarOf(place));

describe('everything that a GraphQL client may send is bounded [D2.2]', () => {
  test('every text, JSON value and list of the schema has a bound', () => {
    expect(places.filter(isText).length).toBeGreaterThan(150);
    expect(places.filter(place => isText(place) && !Number.isSafeInteger(place.bound.length)).map(named)).toEqual([]);
    expect(places.filter(place => isList(place) && !Number.isSafeInteger(place.bound.items)).map(named)).toEqual([]);
  });

  test('one character too many is refused before any other check', async () => {
    const open: string[] = [];
    for (const place of places.filter(isText)) {
      const { length } = place.bound;
      const value = 'a'.repeat((length ?? 0) + 1);
      const refusal = await refusalOf(place, isList(place) ? [value] : value);
      if (!refusal.includes(`长度不能超过 ${length} 个字符`)) open.push(`${named(place)}: ${refusal}`);
    }
    expect(open).toEqual([]);
  });

  test('one list member too many is refused before any other check', async () => {
    const open: string[] = [];
    for (const place of places.filter(isList)) {
      const { items } = place.bound;
      const refusal = await refusalOf(
        place,
        Array.from({ length: (items ?? 0) + 1 }, () => null),
      );
      if (!refusal.includes(`元素个数不能超过 ${items} 个`)) open.push(`${named(place)}: ${refusal}`);
    }
    expect(open).toEqual([]);
  });

  test('an object in a JSON value counts by its serialised length', async () => {
    const place = places.find(({ field, path }) => field === 'Mutation.addContacts' && path.at(-1)?.name === 'metadata') as Place;
    expect(await refusalOf(place, { note: 'a'.repeat(16_384) })).toBe('参数错误：contacts[0].metadata 长度不能超过 16384 个字符');
  });

  test('the bounds are not part of the schema that clients see', () => {
    expect(schema.getDirective('bound')).toBeUndefined();
  });
});
