import { type GraphQLFieldResolver, type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';
import { assert } from '#kernel/assert.ts';
import type { RouteContract } from '#contract/rest/route.ts';
import { requireStorable } from '#contract/storable.ts';
import { requireAccess } from '#operations/access/require-access.ts';
import { ACCESS_TABLE } from './access-table.ts';
import type { GraphContext } from './context.ts';

const ROOTS = ['Query', 'Mutation', 'Subscription'];

/**
 * Puts the access table's row in front of each of its fields, of a subscription in front of the stream.
 *
 * Errors: Error when a root field or a field with arguments has no row, or a row has no field: nothing is open by oversight
 */
export function guardSchema(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type) && !type.name.startsWith('__')) guardType(type, ACCESS_TABLE[type.name] ?? {});
  }
  const unknown = Object.keys(ACCESS_TABLE).filter(name => schema.getType(name) === undefined);
  assert(unknown.length === 0, `the access table names types that do not exist: ${unknown.join(', ')}`);
}

function guardType(type: GraphQLObjectType<unknown, GraphContext>, rows: Readonly<Record<string, Pick<RouteContract, 'access'>>>): void {
  const fields = type.getFields();
  for (const name of Object.keys(rows)) assert(fields[name], `the access table names ${type.name}.${name}, which does not exist`);
  for (const field of Object.values(fields)) {
    const row = rows[field.name];
    const isOpen = !ROOTS.includes(type.name) && field.args.length === 0;
    assert(row || isOpen, `${type.name}.${field.name} is not in the access table`);
    if (!row) continue;
    if (field.subscribe) field.subscribe = guarded(row, field.subscribe);
    else if (field.resolve) field.resolve = guarded(row, type.name === 'Mutation' ? afresh(field.resolve) : field.resolve);
    else throw new Error(`${type.name}.${field.name} has no resolver to guard`);
  }
}

type Resolver = GraphQLFieldResolver<unknown, GraphContext>;

/** What one command of a document has changed is read again for the next one's answer. */
function afresh(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    context.forget();
    return resolve(source, args, context, info);
  };
}

/** A text that no database column can hold may also be written into the document itself, so it is looked for in what was made of it. */
function guarded({ access }: Pick<RouteContract, 'access'>, resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    assert(access !== 'internal', 'internal endpoints have no field');
    if (access !== 'public') requireAccess(access, context.caller);
    requireStorable(args);
    return resolve(source, args, context, info);
  };
}
