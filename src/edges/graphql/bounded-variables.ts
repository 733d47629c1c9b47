import { refusedDocument } from './refused-document.ts';

/** Most members printed for one object in an error message; contacts' metadata has 4,000 at most. */
const MAX_TOLD_MEMBERS = 5_000;
/** Depth, and items of each list, to which the library prints a value. */
const TOLD_DEPTH = 2;
const TOLD_ITEMS = 10;
/** Most levels of nested input objects. */
const MAX_INPUT_DEPTH = 6;

/**
 * Refuses variables with an object that would take long to print.
 *
 * Why:    the error for an invalid value prints the whole value: a few hundred thousand members would block every other request
 * Errors: GraphQLError
 */
export function requireTellable(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > MAX_INPUT_DEPTH) return;
  if (!Array.isArray(value) && toldMembers(value, 0, MAX_TOLD_MEMBERS) > MAX_TOLD_MEMBERS) throw tooManyMembers();
  for (const member of Array.isArray(value) ? value : Object.values(value)) requireTellable(member, depth + 1);
}

/** Counts members until there are more than `most`. */
function toldMembers(value: object, depth: number, most: number): number {
  const members: unknown[] = Array.isArray(value) ? value.slice(0, TOLD_ITEMS) : Object.values(value);
  let told = members.length;
  for (const member of members) {
    if (told > most || depth === TOLD_DEPTH) return told;
    if (typeof member === 'object' && member !== null) told += toldMembers(member, depth + 1, most - told);
  }
  return told;
}

const tooManyMembers = () =>
  refusedDocument(
    `变量中一个对象的字段过多，最多 ${MAX_TOLD_MEMBERS} 个`,
    `An object of the variables has more than ${MAX_TOLD_MEMBERS} members.`,
  );
