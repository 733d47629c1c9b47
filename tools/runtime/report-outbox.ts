import { type BackoffPlan, backoffDelayMs } from '#kernel/backoff.ts';
import { type Clock, sleep } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { Random } from '#kernel/random.ts';
import { type RuntimeReportKind, runtimeMessageId, runtimeSubject } from '#protocol/subjects.ts';
import type { NatsLink } from './nats-link.ts';

export interface OutboxDeps {
  link: Pick<NatsLink, 'store'>;
  clock: Clock;
  random: Random;
  log: Log;
}

export interface ReportOptions {
  /** Distinguishes several reports of one kind. */
  seq?: number;
  /** Epoch of the hand-over to this runtime. */
  epoch?: number | undefined;
  /** Aborts when the report is obsolete, so that it is not retried. */
  unless?: AbortSignal;
}

/** Reports on their way into the stream. A report counts as delivered only when the stream has acknowledged it. */
export interface ReportOutbox {
  send(kind: RuntimeReportKind, requestId: string, body: object, options?: ReportOptions): void;
  /** Number of reports without an acknowledgement. */
  pending(): number;
  isFull(): boolean;
  /** Waits until nothing is pending, at most `timeoutMs`; logs the lost reports. */
  flush(timeoutMs: number): Promise<void>;
}

const BACKOFF: BackoffPlan = { baseMs: 250, maxMs: 10_000 };
/** How long a report is retried, in ms; after a longer outage the server's own reconciliation takes over (D7.8). */
const MAX_AGE_MS = 3_600_000;
/** Most reports held in memory; above it the runtime accepts no new calls. */
const MAX_PENDING = 10_000;
/** Failed attempts before a warning: the first ones may be transient. */
const QUIET_ATTEMPTS = 2;

/**
 * Sends each report until it is acknowledged, always with the same `Nats-Msg-Id`, so that the stream drops duplicates.
 *
 * Source: A4, D7.7
 */
export function createOutbox({ link, clock, random, log }: OutboxDeps): ReportOutbox {
  const pending = new Set<Promise<void>>();
  const stopping = new AbortController();

  async function deliver(kind: RuntimeReportKind, requestId: string, body: object, options: ReportOptions): Promise<void> {
    const subject = runtimeSubject(kind, requestId);
    const messageId = runtimeMessageId(requestId, kind, options.seq ?? 0, options.epoch);
    const { unless } = options;
    const awake = unless ? AbortSignal.any([stopping.signal, unless]) : stopping.signal;
    const givenUpAt = clock.monotonic() + MAX_AGE_MS;
    for (let attempt = 0; ; attempt++) {
      try {
        return await link.store(subject, messageId, body);
      } catch (error) {
        if (stopping.signal.aborted || clock.monotonic() > givenUpAt) {
          log.error({ err: error, requestId, kind, attempts: attempt + 1 }, 'a report was dropped after its last attempt');
          return;
        }
        if (attempt === QUIET_ATTEMPTS) log.warn({ err: error, requestId, kind }, 'a report is not acknowledged yet and is sent again');
        await sleep(clock, backoffDelayMs(BACKOFF, attempt, random), awake);
        if (unless?.aborted === true) return;
      }
    }
  }

  return {
    send(kind, requestId, body, options = {}) {
      const delivery = deliver(kind, requestId, body, options).finally(() => pending.delete(delivery));
      pending.add(delivery);
    },
    pending: () => pending.size,
    isFull: () => pending.size >= MAX_PENDING,
    async flush(timeoutMs) {
      const cancel = clock.schedule(timeoutMs, () => stopping.abort());
      await Promise.all(pending);
      cancel();
    },
  };
}
