import type { z } from 'zod';
import { parseInput } from '../http/parse.ts';
import type { RouteContract } from '../http/route.ts';

/**
 * Validates arguments as the body of the corresponding REST row, so that bounds and messages are the same.
 *
 * Errors: INVALID_ARGUMENT naming the member
 */
export function parseAsBody<B extends z.ZodType>(route: Pick<RouteContract<z.ZodType, z.ZodType, B>, 'body'>, input: object): z.output<B> {
  if (!route.body) throw new Error('the row has no body');
  return parseInput(route.body, input, '参数');
}
