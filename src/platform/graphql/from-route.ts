import type { z } from 'zod';
import { parseInput } from '../http/parse.ts';
import type { RouteContract } from '../http/route.ts';

/**
 * Converts the switches of an input to those of the REST body, 0 and 1.
 *
 * Shape: absent and null members stay as they are
 */
export function withFlags<Input extends { isEnabled?: boolean | null | undefined }>(input: Input) {
  const { isEnabled, ...rest } = input;
  return isEnabled === undefined ? rest : { ...rest, isEnabled: isEnabled === null ? null : Number(isEnabled) };
}

/**
 * Validates arguments as the body of the corresponding REST row, so that bounds and messages are the same.
 *
 * Errors: INVALID_ARGUMENT naming the member
 */
export function parseAsBody<B extends z.ZodType>(route: Pick<RouteContract<z.ZodType, z.ZodType, B>, 'body'>, input: object): z.output<B> {
  if (!route.body) throw new Error('the row has no body');
  return parseInput(route.body, input, '参数');
}

/**
 * Validates arguments as the path of the corresponding REST row, so that invalid keys and session ids get the same messages.
 *
 * Errors: INVALID_ARGUMENT naming the argument
 */
export function parseAsParams<P extends z.ZodType>(route: Pick<RouteContract<P>, 'params'>, input: object): z.output<P> {
  if (!route.params) throw new Error('the row has no parameters');
  return parseInput(route.params, input, '参数');
}
