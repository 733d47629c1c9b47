import { refusedDocument } from './known-documents.ts';

/** Most members printed for one object in an error message; contacts' metadata has 4,000 at most. */
const MAX_PRINTED_MEMBERS = 5_000;
/** Depth, and items of each list, to which the library prints a value. */
const PRINTED_DEPTH = 2;
const PRINTED_ITEMS = 10;
/** Most levels of nested input objects. */
const MAX_INPUT_DEPTH = 6;

/**
 * Refuses variables with an object that would take long to print.
 *
 * Why:    the error for an invalid value prints the whole value: a few hundred thousand members would block every other request
 * Errors: GraphQLError
 */
export function requirePrintable(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > MAX_INPUT_DEPTH) return;
  if (!Array.isArray(value) && countPrintedMembers(value, 0, MAX_PRINTED_MEMBERS) > MAX_PRINTED_MEMBERS) throw tooManyMembers();
  for (const member of Array.isArray(value) ? value : Object.values(value)) requirePrintable(member, depth + 1);
}

/** Counts members until there are more than `most`. */
function countPrintedMembers(value: object, depth: number, most: number): number {
  const members: unknown[] = Array.isArray(value) ? value.slice(0, PRINTED_ITEMS) : Object.values(value);
  let count = members.length;
  for (const member of members) {
    if (count > most || depth === PRINTED_DEPTH) return count;
    if (typeof member === 'object' && member !== null) count += countPrintedMembers(member, depth + 1, most - count);
  }
  return count;
}

const tooManyMembers = () =>
  refusedDocument(
    `变量中一个对象的字段过多，最多 ${MAX_PRINTED_MEMBERS} 个`,
    `An object of the variables has more than ${MAX_PRINTED_MEMBERS} members.`,
  );
