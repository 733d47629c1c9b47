import { CalloutError, invalidArgument, isCalloutError } from '#kernel/errors.ts';

/** For a field that is null when its row does not exist, or when its id is one that no row can have; any other failure is passed on. */
export async function nullWhenAbsent<Row>(find: () => Promise<Row>): Promise<Row | null> {
  try {
    return await find();
  } catch (error) {
    if (isCalloutError(error, 'NOT_FOUND')) return null;
    throw error;
  }
}

/** Drops the null members of a filter, which filter nothing. */
export function given<Filter extends object>(filter: Filter | null | undefined): { [Name in keyof Filter]?: NonNullable<Filter[Name]> } {
  const members = Object.entries(filter ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(members) as { [Name in keyof Filter]?: NonNullable<Filter[Name]> };
}

/** Largest id of an int column: of every table except contacts, attempts and batches. */
const MAX_INT4 = 2_147_483_647;

/** Globally unique id, readable in a log. */
export function nodeIdOf(typeName: string, key: string | number): string {
  return `${typeName}:${key}`;
}

/** Types of arguments that are not named after their type. */
const TYPES: Readonly<Record<string, string>> = {
  group: 'AgentGroup',
  actor: 'User',
  report: 'SavedReport',
  channel: 'ReportChannel',
  schedule: 'ReportSchedule',
};

/** Type of the object that an argument refers to, by its name, such as `filter.campaignId` or `lineIds[2]`. */
function typeNamed(name: string): string {
  const [, noun = ''] = /(\w+?)Ids?(?:\[\d+\])?$/.exec(name) ?? [];
  return TYPES[noun] ?? noun.replace(/^./, letter => letter.toUpperCase());
}

/**
 * Parses an `ID` argument to a row's id: it is either a plain row id or the `id` of an object of the type.
 *
 * Errors: INVALID_ARGUMENT naming the argument, also for an id of another type; NOT_FOUND for an id that no row can have
 */
export function rowIdOf(name: string, text: string, { of = typeNamed(name), max = MAX_INT4 } = {}): number {
  const key = text.startsWith(`${of}:`) ? text.slice(of.length + 1) : text;
  if (!/^\d{1,15}$/.test(key) || Number(key) < 1) throw invalidArgument(name, 'positiveInteger');
  const id = Number(key);
  if (id > max) throw new CalloutError('NOT_FOUND', '资源不存在');
  return id;
}

/** Like `rowIdOf`; null when no id is given. */
export function optionalRowId(name: string, text: string | null | undefined, of = typeNamed(name)): number | null {
  return text === null || text === undefined ? null : rowIdOf(name, text, { of });
}

/** Like `rowIdOf`, for contacts, attempts and batches. */
export function bigRowIdOf(name: string, text: string, of?: string): number {
  return rowIdOf(name, text, { max: Number.MAX_SAFE_INTEGER, ...(of === undefined ? {} : { of }) });
}

/** Parses each id of a list; the contract bounds its length. */
export function rowIdsOf(name: string, texts: readonly string[]): number[] {
  return texts.map((text, index) => bigRowIdOf(`${name}[${index}]`, text));
}

/**
 * Parses ids that an input may omit or clear, as for the REST body.
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
