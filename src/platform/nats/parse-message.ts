import type { z } from 'zod';
import { parseInput } from '../http/parse.ts';
import { requireStorable } from '../http/storable.ts';
import { invalidArgument } from '#kernel/errors.ts';

const WHOLE = '消息';

/**
 * Validates one message of the bus.
 *
 * Errors: INVALID_ARGUMENT naming the field, or stating that the message is not JSON
 * Source: D2.1
 */
export function parseMessage<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  if (body === undefined) throw invalidArgument(WHOLE, '不是合法的 JSON');
  requireStorable(body);
  return parseInput(schema, body, WHOLE);
}

/** Like `parseMessage`; an empty request counts as one without members. */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  return parseMessage(schema, body ?? (body === null ? {} : undefined));
}
