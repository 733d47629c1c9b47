import { getNamedType, type GraphQLOutputType, type GraphQLResolveInfo, isUnionType } from 'graphql';
import { z } from 'zod';
import type { Caller } from '#kernel/caller.ts';
import { bigRowId, flag, MAX_INT4, rowId } from '#kernel/fields.ts';
import { bigRowIdOf, given, rowIdOf } from '#platform/graphql/row-id.ts';
import { parseInput } from '#platform/http/parse.ts';
import { idText4, idText8, type RouteContract } from '#platform/http/route.ts';
import { callerOf, type GraphContext } from './context.ts';
import type { App } from '#app/app.ts';

/** The path's parameters: a single one by itself, several as one object. */
type Key<Params> = unknown extends Params
  ? []
  : { [Name in keyof Params]: Exclude<keyof Params, Name> extends never ? [Params[Name]] : [Params] }[keyof Params];
type Body<Parsed> = unknown extends Parsed ? [] : [Parsed];
type Input<P extends z.ZodType, B extends z.ZodType> = [...Key<z.output<P>>, ...Body<z.output<B>>];

interface Differences<Args> {
  /** Type of the row that `id` names, where the field answers something else. */
  of?: string;
  /** Makes the body of arguments that GraphQL spells differently. */
  bodyOf?: (args: Args) => object;
}

/**
 * Makes the resolver of a field that is a row of REST, with the bounds and messages of the row.
 *
 * Shape:  the first arguments of the field are the parameters of the row's path, in that order. The body is the argument `input`, or else
 *         the arguments that are left. Where the row has a row id, the field has an `ID`, and a boolean where the row has 0 or 1. The verb
 *         takes `(app, caller, id, body)`, without what the row has not.
 * Errors: INVALID_ARGUMENT naming the argument or the member of it; NOT_FOUND for an id that no row can have; the verb's
 */
export function fromRoute<P extends z.ZodType, B extends z.ZodType, Result, Args extends object = object>(
  route: RouteContract<P, z.ZodType, B>,
  verb: (app: App, caller: Caller, ...input: Input<P, B>) => Result,
  { of, bodyOf }: Differences<Args> = {},
) {
  const keyOf = parserOfPath(route.params);
  const spelled = (route.body && spellingOf(route.body)) ?? asGiven;
  return (_root: unknown, args: Args, context: GraphContext, info: GraphQLResolveInfo): Result => {
    const typeName = of ?? answeredBy(info.returnType);
    const { key, rest } = keyOf(args, typeName);
    const body = route.body && [parseInput(route.body, spelled(bodyOf ? bodyOf(args) : inputOf(rest), '', typeName), '参数')];
    // Both parts were parsed by the row whose types these are.
    return verb(context.app, callerOf(context, info), ...([...key, ...(body ?? [])] as Input<P, B>));
  };
}

/** Takes the first arguments as the parameters of a path. */
function parserOfPath(params: z.ZodType | undefined) {
  const members = params instanceof z.ZodObject ? Object.entries<z.core.$ZodType>(params.shape) : [];
  return (args: object, typeName: string) => {
    const entries: [string, unknown][] = Object.entries(args);
    const path = members.map(([name, param], index) => [name, parseParam(param, entries[index] ?? [name, null], typeName)] as const);
    const key: unknown[] = path.length > 1 ? [Object.fromEntries(path)] : path.map(([, value]) => value);
    return { key, rest: Object.fromEntries(entries.slice(members.length)) };
  };
}

/** The type that a field answers, which for a mutation is the first of its results. */
function answeredBy(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  return (isUnionType(named) ? (named.getTypes()[0] ?? named) : named).name;
}

/** Null arguments count as absent; null members of an input are the body's. */
function inputOf({ input, ...args }: Record<string, unknown>): unknown {
  return input ?? given(args);
}

function parseParam(param: z.core.$ZodType, [argument, value]: [string, unknown], typeName: string): unknown {
  const max = param === idText4 ? MAX_INT4 : param === idText8 ? Number.MAX_SAFE_INTEGER : null;
  if (max !== null) return rowIdOf(argument, String(value), { max, ...(argument === 'id' && { of: typeName }) });
  return parseInput(z.object({ [argument]: param }), { [argument]: value }, '参数')[argument];
}

/** Spells a value as the row does; `path` names it in a message. */
type Spelling = (value: unknown, path: string, typeName: string) => unknown;

const asGiven: Spelling = value => value;
const asFlag: Spelling = value => (typeof value === 'boolean' ? Number(value) : value);
const asRowId: Spelling = (value, path, typeName) =>
  typeof value === 'string' ? bigRowIdOf(path, value, path === 'id' ? typeName : undefined) : value;

/** Null when GraphQL spells all of a schema as REST does, as nearly all are. */
function spellingOf(schema: z.core.$ZodType): Spelling | null {
  if (schema === flag) return asFlag;
  if (schema === rowId || schema === bigRowId) return asRowId;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return spellingOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return spellingOf(schema.in);
  if (schema instanceof z.ZodArray) return spellingOfItems(spellingOf(schema.element));
  return schema instanceof z.ZodObject ? spellingOfMembers(schema.shape) : null;
}

function spellingOfItems(spell: Spelling | null): Spelling | null {
  if (spell === null) return null;
  return (value, path, typeName) => (Array.isArray(value) ? value.map((item, index) => spell(item, `${path}[${index}]`, typeName)) : value);
}

function spellingOfMembers(shape: Readonly<Record<string, z.core.$ZodType>>): Spelling | null {
  const members = Object.entries(shape).flatMap(([name, member]) => {
    const spell = spellingOf(member);
    return spell === null ? [] : [{ name, spell }];
  });
  return members.length === 0
    ? null
    : (value, path, typeName) => {
        if (typeof value !== 'object' || value === null) return value;
        const spelled = new Map<string, unknown>(Object.entries(value));
        for (const { name, spell } of members) {
          if (spelled.has(name)) spelled.set(name, spell(spelled.get(name), path === '' ? name : `${path}.${name}`, typeName));
        }
        return Object.fromEntries(spelled);
      };
}

/**
 * Validates arguments as the body of the corresponding REST row, for a field that has more than the row.
 *
 * Errors: INVALID_ARGUMENT naming the member
 */
export function parseAsBody<B extends z.ZodType>(route: Pick<RouteContract<z.ZodType, z.ZodType, B>, 'body'>, input: object): z.output<B> {
  if (!route.body) throw new Error('the row has no body');
  return parseInput(route.body, input, '参数');
}

/**
 * Validates arguments as the query of the corresponding REST row, where both spell them alike.
 *
 * Errors: INVALID_ARGUMENT naming the argument
 */
export function parseAsQuery<Q extends z.ZodType>(route: Pick<RouteContract<z.ZodType, Q>, 'query'>, input: object): z.output<Q> {
  if (!route.query) throw new Error('the row has no query');
  return parseInput(route.query, input, '参数');
}

/**
 * Validates arguments as the path of the corresponding REST row, for a field that has more than the row.
 *
 * Errors: INVALID_ARGUMENT naming the argument
 */
export function parseAsParams<P extends z.ZodType>(route: Pick<RouteContract<P>, 'params'>, input: object): z.output<P> {
  if (!route.params) throw new Error('the row has no parameters');
  return parseInput(route.params, input, '参数');
}
