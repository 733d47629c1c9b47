import { splitOn, splitOnSpaces } from './separate-string.ts';

/** An `originate` after all of FreeSWITCH's parsing. */
export interface ParsedOriginate {
  variables: ReadonlyMap<string, string>;
  /** `sofia/external/1380…@host`, without variables. */
  dialString: string;
  /** `&park()` or an extension. */
  application: string;
}

export type OriginateParse = { kind: 'originate'; originate: ParsedOriginate } | { kind: 'usage' } | { kind: 'refused'; cause: string };

const MAX_ARGUMENTS = 10;
const USAGE_ABOVE = 7;
const MAX_VARIABLES = 1_024;

/**
 * Parses the argument of `originate` as the switch does.
 *
 * Why:    a quoting mistake of the client must have the same effect as on a real switch
 * Source: test/fixtures/esl/README.md §7.8
 */
export function parseOriginate(argument: string): OriginateParse {
  const words = splitOnSpaces(argument, MAX_ARGUMENTS);
  const [leg, application] = words;
  if (leg === undefined || application === undefined || words.length > USAGE_ABOVE) return { kind: 'usage' };
  if (leg.includes(':_:')) return { kind: 'refused', cause: 'CHAN_NOT_IMPLEMENTED' };
  const variables = new Map<string, string>();
  const dialString = takeVariables(leg, variables);
  if (dialString === null) return { kind: 'refused', cause: 'DESTINATION_OUT_OF_ORDER' };
  return { kind: 'originate', originate: { variables, dialString, application } };
}

/** Reads every `{…}` and then `[…]` before the dial string; null when one is not closed. */
function takeVariables(leg: string, into: Map<string, string>): string | null {
  let rest = leg.trimStart();
  for (const [open, close] of ['{}', '[]'].map(pair => [pair[0] ?? '', pair[1] ?? ''] as const)) {
    while (rest.startsWith(open)) {
      const end = endOfGroup(rest, open, close);
      if (end === -1) return null;
      addVariables(rest.slice(1, end), into);
      rest = rest.slice(end + 1).trimStart();
    }
  }
  return rest;
}

function endOfGroup(text: string, open: string, close: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === open) depth += 1;
    else if (text[at] === close) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function addVariables(group: string, into: Map<string, string>): void {
  for (const pair of splitOn(group, ',', MAX_VARIABLES)) {
    const [name, value] = splitOn(pair, '=', 2);
    // A value with a variable reference is not set at all; an empty value unsets the variable.
    if (name && value && !value.includes('${')) into.set(name, value);
  }
}
