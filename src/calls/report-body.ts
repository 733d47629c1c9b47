import type { z } from 'zod';
import { invalidArgument } from '#kernel/errors.ts';
import { parseMessage } from '#platform/nats/requests.ts';

/** Ids that the subject of a report carries. */
export interface Subjected {
  requestId: string;
  kind?: string;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Validates a report whose subject carries the ids: the body and each of its `events` may omit them, but must not contradict them.
 *
 * Why:    a body that names another call than its subject is a mistake of the sender, and either of the two may be the right one
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

/** A value that is not a text is left to the schema, which names the field as well. */
function requireSame(field: string, said: unknown, subjected: string): void {
  if (typeof said === 'string' && said.trim().toLowerCase() !== subjected.toLowerCase()) throw invalidArgument(field, '与主题中的不一致');
}

const REQUEST_KEY = 'request:';

/** A key by attempt may mean the same call, which only a look-up could show; the subject identifies the call without it. */
function requestOf(callKey: unknown): string | undefined {
  return typeof callKey === 'string' && callKey.startsWith(REQUEST_KEY) ? callKey.slice(REQUEST_KEY.length) : undefined;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
