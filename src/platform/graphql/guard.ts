import {
  defaultFieldResolver,
  getDirectiveValues,
  getNamedType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  GraphQLSchema,
  isObjectType,
  type ResponsePath,
} from 'graphql';
import { assert } from '#kernel/assert.ts';
import { PERMISSION_KEYS, requireAccess, type RouteAccess } from '#kernel/caller.ts';
import { boundArguments, readBounds } from './argument-bounds.ts';
import type { OperationContext } from './context.ts';
import { membersOf } from '#kernel/typed.ts';

/**
 * Whether the object of a field is part of a list. Showing the names of recordings in a list is not audited, as in REST; showing that of a
 * single call is, because the user may go on to play it.
 */
export function isInList({ prev }: ResponsePath): boolean {
  return typeof prev?.key === 'number';
}

/** Directives that only this server uses. */
const OWN = ['access', 'bound', 'refusal'];
const ROOTS = ['Query', 'Mutation', 'Subscription'];

/** Extension of a field whose value depends on the caller, whatever the caller's permissions. */
export const PER_VIEWER = 'perViewer';

/** Extension that holds the rule of a field. */
const NEEDS = 'needs';

interface Access {
  needs: string | null;
  orOwn: boolean;
  perViewer: boolean;
}

/** No field is open to the internal token. */
export type FieldAccess = Exclude<RouteAccess, 'internal'>;

/**
 * Puts the rule of each `@access` and the bounds of the arguments in front of a field, for a subscription in front of its stream. The
 * server's own directives are hidden from clients.
 *
 * Errors: Error when a root field or a field with arguments has no rule, or an unknown one: nothing is open by oversight
 * Source: OCS 2.3, 5
 */
export function guardSchema(schema: GraphQLSchema): GraphQLSchema {
  readBounds(schema);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type) && !type.name.startsWith('__')) guardType(schema, type);
  }
  const config = schema.toConfig();
  return new GraphQLSchema({ ...config, directives: config.directives.filter(({ name }) => !OWN.includes(name)) });
}

/** Rules of the fields that take a file. */
export function rulesOfUploads(schema: GraphQLSchema): FieldAccess[] {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {});
  const taking = fields.filter(({ args }) => args.some(({ type }) => getNamedType(type).name === 'Upload'));
  return [...new Set(taking.map(({ extensions }) => extensions[NEEDS] as FieldAccess))];
}

function guardType(schema: GraphQLSchema, type: GraphQLObjectType<unknown, OperationContext>): void {
  for (const field of Object.values(type.getFields())) {
    const { needs: access, orOwn, perViewer } = accessOf(schema, field);
    if (orOwn || perViewer) field.extensions = { ...field.extensions, [PER_VIEWER]: true };
    const isOpen = !ROOTS.includes(type.name) && field.args.length === 0;
    assert(access !== null || isOpen, `${type.name}.${field.name} has no @access`);
    if (access === null) continue;
    assert(isAccess(access), `${type.name}.${field.name} needs ${access}, which nobody knows`);
    field.extensions = { ...field.extensions, [NEEDS]: access };
    const requireBounded = boundArguments(field.args);
    const guarded = (resolve: Resolver): Resolver => guard({ access, requireBounded }, resolve);
    if (field.subscribe) field.subscribe = guarded(field.subscribe);
    else if (orOwn) field.resolve = exemptingOwn(guarded(field.resolve ?? defaultFieldResolver), field.resolve ?? defaultFieldResolver);
    else if (field.resolve) field.resolve = guarded(type.name === 'Mutation' ? withoutLoadedRows(field.resolve) : field.resolve);
    else if (ROOTS.includes(type.name)) throw new Error(`${type.name}.${field.name} has no resolver to guard`);
    else field.resolve = guarded(defaultFieldResolver);
  }
}

function accessOf(schema: GraphQLSchema, { astNode }: Pick<GraphQLField<unknown, unknown>, 'astNode'>): Access {
  const directive = schema.getDirective('access');
  const { needs, orOwn, perViewer } = (astNode && directive && getDirectiveValues(directive, astNode)) ?? {};
  return { needs: typeof needs === 'string' ? needs : null, orOwn: orOwn === true, perViewer: perViewer === true };
}

function isAccess(access: string): access is FieldAccess {
  return ['public', 'session', ...PERMISSION_KEYS].includes(access);
}

type Resolver = GraphQLFieldResolver<unknown, OperationContext>;

/** Discards loaded rows before each command of a document, because an earlier command may have changed them. */
function withoutLoadedRows(resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    context.forget();
    return resolve(source, args, context, info);
  };
}

/** Exempts callers who read their own user from the rule. */
function exemptingOwn(guarded: Resolver, own: Resolver): Resolver {
  return (source, args, context, info) => {
    const isOwn = context.caller !== null && membersOf(source)['id'] === context.caller.userId;
    return (isOwn ? own : guarded)(source, args, context, info);
  };
}

interface Rules {
  access: FieldAccess;
  requireBounded: ReturnType<typeof boundArguments>;
}

function guard({ access, requireBounded }: Rules, resolve: Resolver): Resolver {
  return (source, args, context, info) => {
    if (access !== 'public') requireAccess(access, context.caller);
    requireBounded(membersOf(args));
    return resolve(source, args, context, info);
  };
}
