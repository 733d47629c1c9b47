import {
  getDirectiveValues,
  getNamedType,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  isUnionType,
} from 'graphql';
import { assert } from '#kernel/assert.ts';
import { CalloutError } from '#kernel/errors.ts';
import type { GraphContext } from './context.ts';

type Resolver = GraphQLFieldResolver<unknown, GraphContext>;

/**
 * Makes refusals that a user must handle members of a mutation's result: of its union the first with the failure's code in its `@refusal`. Every other
 * failure stays an error.
 *
 * Shape: an object is the member that its `__typename` says, else the first of its union
 * Errors: Error when a refusal has no `@refusal`
 */
export function attachOutcomes(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isUnionType(type)) type.resolveType = (value: { __typename?: string }) => value.__typename ?? type.getTypes()[0]?.name;
  }
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const result = getNamedType(field.type);
    if (!isUnionType(result) || !field.resolve) continue;
    const [, ...refusals] = result.getTypes();
    field.resolve = refusing(field.resolve, new Map(refusals.flatMap(type => codesOf(schema, type)).toReversed()));
  }
}

function codesOf(schema: GraphQLSchema, { name, astNode }: GraphQLObjectType): (readonly [code: string, name: string])[] {
  const directive = schema.getDirective('refusal');
  const codes: unknown = astNode && directive && getDirectiveValues(directive, astNode)?.['codes'];
  assert(Array.isArray(codes), `${name} has no @refusal`);
  return codes.map(code => [String(code), name]);
}

function refusing(resolve: Resolver, names: ReadonlyMap<string, string>): Resolver {
  return async (source, args, context, info) => {
    try {
      return await resolve(source, args, context, info);
    } catch (error) {
      const name = error instanceof CalloutError ? names.get(error.code) : undefined;
      if (!(error instanceof CalloutError) || name === undefined) throw error;
      return { __typename: name, code: error.code, message: error.message };
    }
  };
}
