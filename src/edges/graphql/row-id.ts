import { CalloutError, invalidArgument } from '#kernel/errors.ts';

/** Ids of int columns: everything but contacts, attempts and batches. */
const MAX_INT4 = 2_147_483_647;

/**
 * An `ID` argument as a row's id.
 *
 * Errors: INVALID_ARGUMENT naming the argument; NOT_FOUND for an id that no row can have
 */
export function rowIdOf(name: string, text: string, max = MAX_INT4): number {
  if (!/^\d{1,15}$/.test(text) || Number(text) < 1) throw invalidArgument(name, '必须是正整数');
  const id = Number(text);
  if (id > max) throw new CalloutError('NOT_FOUND', '资源不存在');
  return id;
}

/** As `rowIdOf`; null when none is given. */
export function optionalRowId(name: string, text: string | null | undefined): number | null {
  return text === null || text === undefined ? null : rowIdOf(name, text);
}

/** As `rowIdOf` for contacts, attempts and batches. */
export function bigRowIdOf(name: string, text: string): number {
  return rowIdOf(name, text, Number.MAX_SAFE_INTEGER);
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
