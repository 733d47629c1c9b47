import { isCalloutError } from '#kernel/errors.ts';

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
