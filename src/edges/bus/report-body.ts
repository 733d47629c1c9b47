import type { z } from 'zod';
import { invalidArgument } from '#kernel/errors.ts';
import { parseMessage } from './parse-message.ts';

/** What the subject of a report says by itself. */
export interface Subjected {
  requestId: string;
  kind?: string;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Validates a report. Its subject has the ids: the body and each of its `events` may leave them out, and may not say others.
 *
 * Why:    a body that names another call than its subject is a mistake of the sender, whichever of the two was meant
 * Errors: INVALID_ARGUMENT naming the field, `events[3].requestId`
 */
export function parseReport<Schema extends z.ZodType>(schema: Schema, body: unknown, subjected: Subjected): z.output<Schema> {
  return parseMessage(schema, isObject(body) ? withEvents(body, subjected) : body);
}

function withEvents(body: Members, subjected: Subjected): Members {
  const { events } = body;
  const report = withIds(body, subjected, '');
  if (!Array.isArray(events)) return report;
  return { ...report, events: events.map((event, index) => (isObject(event) ? withIds(event, subjected, `events[${index}].`) : event)) };
}

function withIds(members: Members, { requestId, kind }: Subjected, path: string): Members {
  requireSame(`${path}requestId`, members['requestId'], requestId);
  requireSame(`${path}callKey`, requestOf(members['callKey']), requestId);
  if (kind === undefined) return { ...members, requestId: members['requestId'] ?? requestId };
  requireSame(`${path}kind`, members['kind'], kind);
  return { ...members, requestId: members['requestId'] ?? requestId, kind: members['kind'] ?? kind };
}

/** What is no text is left to the schema, which names it too. */
function requireSame(field: string, said: unknown, subjected: string): void {
  if (typeof said === 'string' && said.trim().toLowerCase() !== subjected.toLowerCase()) throw invalidArgument(field, '与主题中的不一致');
}

const REQUEST_KEY = 'request:';

/** A key by attempt may name the same call: only a look-up would show, and the subject needs none. */
function requestOf(callKey: unknown): string | undefined {
  return typeof callKey === 'string' && callKey.startsWith(REQUEST_KEY) ? callKey.slice(REQUEST_KEY.length) : undefined;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
