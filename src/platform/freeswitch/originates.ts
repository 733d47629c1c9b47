import type { Cancel, Clock } from '#kernel/clock.ts';
import { type EslEvent, header } from './esl-codec.ts';
import { isLocalRefusal, MALFORMED, parseJobResult } from './events.ts';
import type { OriginateReply } from './switch.ts';

/**
 * Limits the commands in flight; a bounded number of others waits in order.
 *
 * Why: one connection handles about 800 originates a second; more in flight only delays every reply
 */
export class CommandGate {
  readonly #maxInside: number;
  readonly #maxWaiting: number;
  readonly #waiting: ((isAdmitted: boolean) => void)[] = [];
  #inside = 0;

  constructor(maxInside: number, maxWaiting: number) {
    this.#maxInside = maxInside;
    this.#maxWaiting = maxWaiting;
  }

  /** Returns true when admitted, false when rejected, or a promise of either. An admitted caller must call `leave`. */
  enter(): boolean | Promise<boolean> {
    if (this.#inside < this.#maxInside) {
      this.#inside += 1;
      return true;
    }
    if (this.#waiting.length >= this.#maxWaiting) return false;
    return new Promise(resolve => this.#waiting.push(resolve));
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next(true);
    else this.#inside -= 1;
  }

  /** Rejects all waiting callers. */
  clear(): void {
    for (const resolve of this.#waiting.splice(0)) resolve(false);
  }
}

/** CHANNEL_CREATE may arrive after the job's failure, because two threads of the switch send events. */
const SWAPPED_EVENT_MS = 200;
/** After the command connection is lost, the event connection may still report the outcome. */
const AFTER_LOSS_MS = 300;
/** Time from the write to the outcome "unknown"; a switch under load replies within 300 ms. */
const ANSWER_TIMEOUT_MS = 5_000;

const NO_ANSWER_TEXT = '交换机未在规定时间内应答';
const CONNECTION_LOST_TEXT = '与交换机的连接中断，呼叫结果未知';

interface Entry {
  requestId: string;
  jobId: string;
  cancel: Cancel;
  settle(reply: OriginateReply): void;
  /** The job has reported a channel with another uuid than ours. */
  onForeignChannel(uuid: string, replyText: string): void;
}

/**
 * Originates that were sent and have no outcome yet. They are matched by channel uuid and job id, both chosen before sending.
 *
 * Why:    reply, CHANNEL_CREATE and BACKGROUND_JOB arrive in any order on two connections; the first conclusive one decides
 * Source: test/fixtures/esl/README.md §3, §7.5, §7.12
 */
export class PendingOriginates {
  readonly #clock: Clock;
  readonly #byRequest = new Map<string, Entry>();
  readonly #byJob = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Registers an originate just before it is sent; resolves with its outcome. */
  register(requestId: string, jobId: string, onForeignChannel: Entry['onForeignChannel']): Promise<OriginateReply> {
    return new Promise(resolve => {
      const entry: Entry = {
        requestId,
        jobId,
        onForeignChannel,
        cancel: this.#clock.schedule(ANSWER_TIMEOUT_MS, () => this.#settle(entry, { kind: 'unknown', replyText: NO_ANSWER_TEXT })),
        settle: resolve,
      };
      this.#byRequest.set(requestId, entry);
      this.#byJob.set(jobId, entry);
    });
  }

  /** Processes an event that concerns a pending originate; ignores all others. */
  take(event: EslEvent): void {
    if (event.name === 'BACKGROUND_JOB') return this.#takeJob(event);
    const uuid = header(event, 'Unique-ID');
    const entry = uuid === null ? undefined : this.#byRequest.get(uuid);
    if (entry) this.#settle(entry, { kind: 'accepted', replyText: `+OK ${entry.requestId}` });
  }

  #takeJob(event: EslEvent): void {
    const entry = this.#byJob.get(header(event, 'Job-UUID') ?? '');
    if (!entry) return;
    const result = parseJobResult(event.body);
    const replyText = event.body.trim();
    if (result.kind === 'channel' && result.uuid !== entry.requestId) return entry.onForeignChannel(result.uuid, replyText);
    if (result.kind === 'channel' || !(isLocalRefusal(result.cause) || result.cause === MALFORMED)) {
      return this.#settle(entry, { kind: 'accepted', replyText });
    }
    return this.#settleLater(entry, SWAPPED_EVENT_MS, { kind: 'refused', replyText, cause: result.cause });
  }

  /** The switch rejected the command: nothing was started. */
  refuse(jobId: string, replyText: string): void {
    const entry = this.#byJob.get(jobId);
    if (entry) this.#settle(entry, { kind: 'refused', replyText, cause: MALFORMED });
  }

  decide(jobId: string, reply: OriginateReply): void {
    const entry = this.#byJob.get(jobId);
    if (entry) this.#settle(entry, reply);
  }

  /** The command connection is lost, with or without the reply. */
  lost(jobId: string): void {
    const entry = this.#byJob.get(jobId);
    if (entry) this.#settleLater(entry, AFTER_LOSS_MS, { kind: 'unknown', replyText: CONNECTION_LOST_TEXT });
  }

  /** The event connection is lost: no outcome will be reported. */
  deaf(): void {
    for (const entry of this.#byJob.values()) this.#settle(entry, { kind: 'unknown', replyText: CONNECTION_LOST_TEXT });
  }

  #settleLater(entry: Entry, delayMs: number, reply: OriginateReply): void {
    entry.cancel();
    entry.cancel = this.#clock.schedule(delayMs, () => this.#settle(entry, reply));
  }

  #settle(entry: Entry, reply: OriginateReply): void {
    entry.cancel();
    this.#byJob.delete(entry.jobId);
    if (this.#byRequest.get(entry.requestId) === entry) this.#byRequest.delete(entry.requestId);
    entry.settle(reply);
  }
}
