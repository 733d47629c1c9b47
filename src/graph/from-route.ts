import { getNamedType, type GraphQLOutputType, type GraphQLResolveInfo, isUnionType } from 'graphql';
import { z } from 'zod';
import type { Caller } from '#kernel/caller.ts';
import { bigRowId, flag, MAX_INT4, rowId } from '#kernel/fields.ts';
import { bigRowIdOf, rowIdOf } from '#platform/graphql/row-id.ts';
import { parseInput } from '#platform/http/parse.ts';
import { idText4, idText8, type RouteContract } from '#platform/http/route.ts';
import { callerOf, type GraphContext, type GraphDeps } from './context.ts';

/** The only parameter of a path by itself, several as one object, none as nothing. */
type Key<Params> = unknown extends Params
  ? []
  : { [Name in keyof Params]: Exclude<keyof Params, Name> extends never ? [Params[Name]] : [Params] }[keyof Params];

type Body<Parsed> = unknown extends Parsed ? [] : [Parsed];

/** The operation behind a row: `(app, caller, id, body)`, without the id or the body when the row has none. */
type Verb<P extends z.ZodType, B extends z.ZodType, Result> = (
  app: GraphDeps,
  caller: Caller,
  ...input: [...Key<z.output<P>>, ...Body<z.output<B>>]
) => Result;

interface Spelling<Args> {
  /** Type of the row that `id` names, when the field does not answer that row. */
  of?: string;
  /** Converts the arguments to the body where GraphQL spells it differently than REST. */
  bodyOf?: (args: Args) => object;
}

/**
 * Makes the resolver of a field that is a row of REST, so that bounds and messages are the same.
 *
 * Shape:  the field's first arguments are the parameters of the row's path, in its order. Its body is the argument `input`, otherwise the
 *         remaining arguments. Where the row has a row id, GraphQL has an `ID`; where it has 0 or 1, a boolean.
 * Errors: INVALID_ARGUMENT naming the argument or the member; NOT_FOUND for an id that no row can have; those of the verb
 */
export function fromRoute<P extends z.ZodType, B extends z.ZodType, Result, Args extends object = Record<string, unknown>>(
  route: RouteContract<P, z.ZodType, B>,
  verb: Verb<P, B, Result>,
  { of, bodyOf = inputOf }: Spelling<Args> = {},
) {
  const params = Object.entries(membersOf(route.params));
  const spell = route.body && spellingOf(route.body);
  return (_root: unknown, args: Args, context: GraphContext, info: GraphQLResolveInfo): Result => {
    const given = Object.entries(args);
    const path = params.map(([name, member], index) => {
      const [argument = name, value] = given[index] ?? [];
      return [name, parseParam(member, argument, value, of ?? namedBy(info.returnType))] as const;
    });
  };
}
