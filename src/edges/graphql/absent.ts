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
