import { CalloutError, invalidArgument } from '#kernel/errors.ts';

/** Ids of int columns: everything but contacts, attempts and batches. */
const MAX_INT4 = 2_147_483_647;

/** Unlike the id of anything else, and plain to whoever looks for it in a log. */
export function nodeIdOf(typeName: string, key: string | number): string {
  return `${typeName}:${key}`;
}

/** Types whose arguments are not named after them. */
const TYPES: Readonly<Record<string, string>> = { group: 'AgentGroup', actor: 'User' };

/** Of `filter.campaignId`, `lineIds[2]`: the type of what is named. */
function typeNamed(name: string): string {
  const [, noun = ''] = /(\w+?)Ids?(?:\[\d+\])?$/.exec(name) ?? [];
  return TYPES[noun] ?? noun.replace(/^./, letter => letter.toUpperCase());
}

/**
 * An `ID` argument as a row's id: it may be that, or the `id` of an object of the type.
 *
 * Errors: INVALID_ARGUMENT naming the argument, also for the id of something else; NOT_FOUND for an id that no row can have
 */
export function rowIdOf(name: string, text: string, { of = typeNamed(name), max = MAX_INT4 } = {}): number {
  const key = text.startsWith(`${of}:`) ? text.slice(of.length + 1) : text;
  if (!/^\d{1,15}$/.test(key) || Number(key) < 1) throw invalidArgument(name, '必须是正整数');
  const id = Number(key);
  if (id > max) throw new CalloutError('NOT_FOUND', '资源不存在');
  return id;
}

/** As `rowIdOf`; null when none is given. */
export function optionalRowId(name: string, text: string | null | undefined, of = typeNamed(name)): number | null {
  return text === null || text === undefined ? null : rowIdOf(name, text, { of });
}

/** As `rowIdOf` for contacts, attempts and batches. */
export function bigRowIdOf(name: string, text: string, of?: string): number {
  return rowIdOf(name, text, { max: Number.MAX_SAFE_INTEGER, ...(of === undefined ? {} : { of }) });
}

/** Each of a list, whatever their number: its bounds are the contract's. */
export function rowIdsOf(name: string, texts: readonly string[]): number[] {
  return texts.map((text, index) => bigRowIdOf(`${name}[${index}]`, text));
}

/**
 * Ids that an input may leave out or clear, as the REST body has them.
 *
 * Shape: absent ones stay absent, null ones null
 */
export function optionalRowIds<Name extends string, Given extends string | null | undefined>(
  given: Record<Name, Given>,
): { [Key in Name]?: number | Extract<Given, null> } {
  const entries = Object.entries<Given>(given).filter(([, id]) => id !== undefined);
  return Object.fromEntries(entries.map(([name, id]) => [name, typeof id === 'string' ? bigRowIdOf(name, id) : id])) as {
    [Key in Name]?: number | Extract<Given, null>;
  };
}
