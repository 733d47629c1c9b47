import {
  getDirectiveValues,
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';
import { invalidArgument } from '#kernel/errors.ts';
import { requireStorable } from '../http/parse.ts';
import { membersOf } from '#kernel/typed.ts';

/** Bound of an argument, or of a member of an input object. */
export interface ArgumentBound {
  /** Characters of a text, or of a value's JSON; null for a type with a bound of its own, such as a number or an enum. */
  length: number | null;
  /** Items of a list; null when it is not a list. */
  items: number | null;
}

/** Defaults without `@bound` in the SDL: descriptions and notes are REST's longest texts, contacts' metadata is its longest JSON. */
const DEFAULT_LENGTHS: Readonly<Record<string, number>> = { String: 2_000, ID: 200, JSON: 16_384 };
const DEFAULT_ITEMS = 200;

/** An argument of a field, or a member of an input object. */
export type Bounded = GraphQLArgument | GraphQLInputField;

/** Key of the extension that holds the `@bound` of an argument or member. */
const BOUND = 'bound';

/** Copies each `@bound` to where `boundOf` finds it, because the directive is hidden from clients. */
export function readBounds(schema: GraphQLSchema): void {
  const directive = schema.getDirective('bound');
  if (!directive) return;
  for (const field of inputsOf(schema)) {
    const said = field.astNode && getDirectiveValues(directive, field.astNode);
    if (said) field.extensions = { ...field.extensions, [BOUND]: said };
  }
}

function inputsOf(schema: GraphQLSchema): Bounded[] {
  return Object.values(schema.getTypeMap()).flatMap(type => {
    if (isInputObjectType(type)) return Object.values(type.getFields());
    return isObjectType(type) ? Object.values(type.getFields()).flatMap(({ args }) => args) : [];
  });
}

/** The bound of one argument, or of one member of an input object. */
export function boundOf({ type, extensions }: Bounded): ArgumentBound {
  const { length, items } = membersOf(extensions[BOUND]);
  return {
    length: typeof length === 'number' ? length : (DEFAULT_LENGTHS[getNamedType(type).name] ?? null),
    items: isListType(getNullableType(type)) ? (typeof items === 'number' ? items : DEFAULT_ITEMS) : null,
  };
}

type Check = (value: unknown, path: string) => void;

/**
 * Returns a check of a field's arguments that runs before anything else uses them.
 *
 * Why:    long texts and lists are costly to compare, search and store. Every text and list has a bound, so nothing is open by oversight
 * Errors: INVALID_ARGUMENT naming the argument, or the member of it
 */
export function boundArguments(args: readonly Bounded[]): (given: Readonly<Record<string, unknown>>) => void {
  const checks = members(args, new Map());
  return given => {
    // A text that no database column can hold may also stand in the document itself, so the coerced arguments are checked.
    requireStorable(given);
    for (const { name, check } of checks) if (given[name] !== undefined) check(given[name], name);
  };
}

function members(fields: readonly Bounded[], known: Map<GraphQLInputType, Check>): { name: string; check: Check }[] {
  return fields.map(field => ({ name: field.name, check: checkOf(field, known) }));
}

/** `known`: checks of input objects that are being built, because an input object may contain itself. */
function checkOf(field: Bounded, known: Map<GraphQLInputType, Check>): Check {
  const bound = boundOf(field);
  const checkItem = checkOfItem(field, known);
  return (value, path) => {
    if (value === null) return;
    if (!Array.isArray(value) || bound.items === null) return checkItem(value, path);
    if (value.length > bound.items) throw invalidArgument(path, 'tooManyItems', { max: bound.items });
    for (const [index, item] of value.entries()) checkItem(item, `${path}[${index}]`);
  };
}

function checkOfItem(field: Bounded, known: Map<GraphQLInputType, Check>): Check {
  const named = getNamedType(field.type);
  if (isInputObjectType(named)) return checkOfObject(named, known);
  const { length } = boundOf(field);
  if (length === null) return () => undefined;
  return (value, path) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (text.length > length) throw invalidArgument(path, 'tooLong', { max: length });
  };
}

function checkOfObject(type: Extract<GraphQLInputType, { getFields(): unknown }>, known: Map<GraphQLInputType, Check>): Check {
  const before = known.get(type);
  if (before) return before;
  let checks: { name: string; check: Check }[] = [];
  const check: Check = (value, path) => {
    // REST bodies have no `input` object around them; without its name a fault has the same field on both edges.
    const within = path === 'input' ? '' : `${path}.`;
    for (const { name, check: checkMember } of checks) {
      const member: unknown = Reflect.get(Object(value), name);
      if (member !== undefined) checkMember(member, `${within}${name}`);
    }
  };
  known.set(type, check);
  checks = members(Object.values(type.getFields()), known);
  return check;
}
