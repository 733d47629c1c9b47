import { type RejectedReport, runtimeIdText } from '#protocol/pool.ts';
import { poolSubject } from '#protocol/subjects.ts';
import type { Clock } from '#kernel/clock.ts';
import { type ErrorCode, ERROR_CODES, isCalloutError } from '#kernel/errors.ts';
import { isUuid } from '#kernel/ids.ts';
import type { Bus } from '#platform/nats/bus.ts';
import type { InboundSubject } from '#platform/metrics.ts';
import type { RuntimeEventStore } from './runtime-event-store.ts';
import type { Platform } from '#platform/platform.ts';

export interface RejectionsOptions extends Pick<Platform, 'log'> {
  bus: Pick<Bus, 'publish'>;
  events: Pick<RuntimeEventStore, 'record'>;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Returns the runtime that serves the call; null when no registered runtime does. */
  ownerOf(requestId: string): Promise<string | null>;
}

/** A message from a runtime that was not applied and will not be. */
export interface Rejection {
  inbound: InboundSubject;
  subject: string;
  body: unknown;
  /** Null for a message that belongs to no call. */
  requestId: string | null;
  error: unknown;
}

/** Reports rejected messages; never throws and never blocks. */
export interface Rejections {
  publish(rejection: Rejection): void;
}

export interface RejectionsPart {
  rejections: Rejections;
}

/** Notices per second, counted separately for lossy messages and the durable inbox: a flood of captions must not hide a lost result. */
const MAX_PUBLISHED_PER_SECOND = 20;
const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
/** Limit of text that the sender controls, such as names of members and subjects. */
const MAX_TEXT_LENGTH = 500;

/**
 * Notifies the runtime of each rejected message, and the operators once an hour per kind and code.
 *
 * Why:    these messages have no reply, so their sender cannot learn of a mistake in any other way
 * Source: A4, D14.3
 */
export function publishRejections(options: RejectionsOptions): Rejections {
  const isLossyAllowed = budget(options.clock);
  const isDurableAllowed = budget(options.clock);
  const recordForOperators = hourly(options);
  return {
    publish(rejection) {
      const notice = describe(rejection);
      const runtimeId = addressee(rejection);
      const isAllowed = isLossy(rejection.inbound) ? isLossyAllowed : isDurableAllowed;
      const publishTo = (id: string) => options.bus.publish(poolSubject(id, 'rejected'), notice);
      if (runtimeId !== null) {
        if (isAllowed()) publishTo(runtimeId);
      } else if (hasOwner(rejection) && isAllowed()) {
        options.ownerOf(rejection.requestId).then(
          owner => owner !== null && publishTo(owner),
          (error: unknown) => options.log.debug({ err: error }, 'nobody knows whose message was rejected'),
        );
      }
      // An unavailable store is reported elsewhere and is not a fault of the message.
      if (!ERROR_CODES[codeOf(rejection.error)].retryable) recordForOperators(rejection.inbound, notice, runtimeId);
    },
  };
}

/** The runtime that the message names as its sender. */
function addressee({ body }: Rejection): string | null {
  const events = memberOf(body, 'events');
  const said = memberOf(body, 'runtimeId') ?? memberOf(Array.isArray(events) ? events[0] : undefined, 'runtimeId');
  const { success, data } = runtimeIdText.safeParse(said);
  return success ? data : null;
}

/**
 * Whether the notice goes to the call's own runtime: when the message names no runtime or is not JSON. A stale message came from another
 * runtime, which is no concern of this one.
 */
function hasOwner(rejection: Rejection): rejection is Rejection & { requestId: string } {
  return rejection.requestId !== null && isUuid(rejection.requestId) && codeOf(rejection.error) !== 'STALE_EPOCH';
}

function memberOf(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, member) ? Reflect.get(value, member) : undefined;
}

function describe({ subject, requestId, error }: Rejection): RejectedReport {
  const field = isCalloutError(error) ? (error.field ?? null) : null;
  return {
    subject: cut(subject),
    code: codeOf(error),
    field: field === null ? null : cut(field),
    reason: cut(isCalloutError(error) ? error.message : '服务器内部错误'),
    requestId: requestId === null ? null : cut(requestId),
  };
}

function codeOf(error: unknown): ErrorCode {
  return isCalloutError(error) ? error.code : 'INTERNAL';
}

function cut(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH);
}

function isLossy(inbound: InboundSubject): boolean {
  return inbound === 'captions' || inbound === 'softphone';
}

/** Whether one more notice may be sent in this second. */
function budget(clock: Pick<Clock, 'monotonic'>): () => boolean {
  let endsAt = 0;
  let published = 0;
  return () => {
    const now = clock.monotonic();
    if (now >= endsAt) [endsAt, published] = [now + SECOND_MS, 0];
    published += 1;
    return published <= MAX_PUBLISHED_PER_SECOND;
  };
}

const NOUNS: Readonly<Record<InboundSubject, string>> = {
  started: '话术开始',
  intervention: '人工介入的进展',
  ended: '话术结束',
  result: '通话结果',
  other: '未知种类的上报',
  captions: '实时字幕',
  softphone: '网页话机的上报',
};

/** The dedupe key makes the reports of all instances one event; within an hour this instance sends an event to the store only once. */
function hourly({ events, clock, log }: RejectionsOptions) {
  let hour = -1;
  const recorded = new Set<string>();
  return (inbound: InboundSubject, { subject, code, field, reason }: RejectedReport, runtimeId: string | null) => {
    const now = Math.floor(clock.now() / HOUR_MS);
    if (now !== hour) recorded.clear();
    hour = now;
    const dedupeKey = `report_rejected:${inbound}:${code}:${hour}`;
    if (recorded.has(dedupeKey)) return;
    recorded.add(dedupeKey);
    const event = {
      // A runtime that was relieved of a call is refused correctly: there is nothing to fix.
      level: code === 'STALE_EPOCH' ? 'info' : 'warning',
      type: 'runtime.report_rejected',
      title: '话术引擎的上报被拒绝',
      message: `${NOUNS[inbound]}：${reason}。同类拒绝每小时提示一次`,
      detail: { subject, code, field, reason, runtimeId },
      dedupeKey,
    } as const;
    events.record(event).catch((error: unknown) => {
      recorded.delete(dedupeKey);
      log.warn({ err: error, code }, 'a runtime event for a rejected report could not be recorded');
    });
  };
}
