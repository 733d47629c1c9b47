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
import type { OperationContext } from './context.ts';
import { englishOf, faultsIn } from './language.ts';

type Resolver = GraphQLFieldResolver<unknown, OperationContext>;

/**
 * Turns refusals that a user must handle into members of a mutation's result: the first member of its union whose `@refusal` names the
 * failure's reason, or else its code. Any other failure stays an error.
 *
 * Shape: an object is the member that its `__typename` names, or else the first of its union
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
    field.resolve = refusing(field.resolve, new Map(refusals.flatMap(type => causesOf(schema, type)).toReversed()));
  }
}

function causesOf(schema: GraphQLSchema, { name, astNode }: GraphQLObjectType): (readonly [cause: string, name: string])[] {
  const directive = schema.getDirective('refusal');
  const { reasons, codes } = (astNode && directive && getDirectiveValues(directive, astNode)) ?? {};
  assert(Array.isArray(reasons) && Array.isArray(codes), `${name} has no @refusal`);
  return [...reasons, ...codes].map(cause => [String(cause), name]);
}

function refusing(resolve: Resolver, names: ReadonlyMap<string, string>): Resolver {
  return async (source, args, context, info) => {
    try {
      return await resolve(source, args, context, info);
    } catch (error) {
      if (!(error instanceof CalloutError)) throw error;
      const { code, reason = code, message, field, faults } = error;
      const name = names.get(reason) ?? names.get(code);
      if (name === undefined) throw error;
      const text = context.language === 'en' ? englishOf(info.schema, error) : message;
      return { __typename: name, code, reason, message: text, field, faults: faultsIn(context.language, faults) };
    }
  };
}
