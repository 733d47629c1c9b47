import { isCalloutError } from '#kernel/errors.ts';

/** For a field that is null when its row does not exist; every other failure stays one. */
export function nullWhenAbsent(error: unknown): null {
  if (isCalloutError(error, 'NOT_FOUND')) return null;
  throw error;
}
