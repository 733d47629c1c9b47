import { isCalloutError } from '#kernel/errors.ts';

/** For a field that is null when its row does not exist, or its id is one that no row can have; every other failure stays one. */
export async function nullWhenAbsent<Row>(find: () => Promise<Row>): Promise<Row | null> {
  try {
    return await find();
  } catch (error) {
    if (isCalloutError(error, 'NOT_FOUND')) return null;
    throw error;
  }
}

/** A filter without its null members: they filter nothing. */
export function given<Filter extends object>(filter: Filter | null | undefined): { [Name in keyof Filter]?: NonNullable<Filter[Name]> } {
  const members = Object.entries(filter ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(members) as { [Name in keyof Filter]?: NonNullable<Filter[Name]> };
}
