import { defaultFieldResolver, type GraphQLField, type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';
import { hiddenNumber, NUMBER_MEMBERS } from '#phone-numbers/masked-answer.ts';
import { maySeeNumbers } from '#phone-numbers/shown-number.ts';
import { PER_VIEWER } from '#platform/graphql/guard.ts';
import type { GraphContext } from './context.ts';

type Resolver = GraphQLFieldResolver<unknown, GraphContext>;

/** Fields of an attempt that hold values of its results; their resolvers mask those that are numbers. */
const RESULTS_OF_ATTEMPT: ReadonlySet<string> = new Set(['payload', 'reportedResult', 'resultCorrections', 'dispositions']);

/**
 * Masks the numbers of customers for callers who may not see them.
 *
 * Why:    a subscription that reads a number is then made for each viewer, which costs its sharing: only an installation that masks does this
 * Source: D3.11
 */
export function attachMasks(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields()).filter(({ name }) => NUMBER_MEMBERS.has(name))) {
      readPerViewer(field);
      field.resolve = masking(field.resolve ?? defaultFieldResolver);
    }
  }
  const attempt = schema.getType('Attempt');
  const fields = isObjectType(attempt) ? Object.values(attempt.getFields()) : [];
  for (const field of fields.filter(({ name }) => RESULTS_OF_ATTEMPT.has(name))) readPerViewer(field);
}

function readPerViewer(field: GraphQLField<unknown, GraphContext>): void {
  field.extensions = { ...field.extensions, [PER_VIEWER]: true };
}

function masking(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    const value: unknown = resolve(source, args, context, info);
    const { app, caller } = context;
    if (caller !== null && maySeeNumbers(app, caller)) return value;
    return value instanceof Promise ? value.then(masked) : masked(value);
  };
}

function masked(value: unknown): unknown {
  return typeof value === 'string' ? hiddenNumber(value) : value;
}
