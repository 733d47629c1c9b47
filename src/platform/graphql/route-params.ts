import type { z } from 'zod';
import { parseInput } from '../http/parse.ts';
import type { RouteContract } from '../http/route.ts';

/**
 * Validates arguments as the path of the corresponding REST row, so that invalid keys and session ids get the same messages.
 *
 * Errors: INVALID_ARGUMENT naming the argument
 */
export function parseAsParams<P extends z.ZodType>(route: Pick<RouteContract<P>, 'params'>, input: object): z.output<P> {
  if (!route.params) throw new Error('the row has no parameters');
  return parseInput(route.params, input, '参数');
}
