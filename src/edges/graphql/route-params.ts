import type { z } from 'zod';
import { parseInput } from '#contract/rest/parse.ts';
import type { RouteContract } from '#contract/rest/route.ts';

/**
 * Validates arguments as the path of the REST row that the field stands for: keys and ids of sessions are refused in the same words.
 *
 * Errors: INVALID_ARGUMENT naming the argument
 */
export function parseAsParams<P extends z.ZodType>(route: Pick<RouteContract<P>, 'params'>, input: object): z.output<P> {
  if (!route.params) throw new Error('the row has no parameters');
  return parseInput(route.params, input, '参数');
}
