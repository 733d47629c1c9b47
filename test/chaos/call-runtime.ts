import { jetstream, type JetStreamClient } from '@nats-io/jetstream';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { runtimeAddress } from '#protocol/address.ts';
import {
  actorSubject,
  captionSubject,
  commandsOf,
  POOL_BEAT_SUBJECT,
  POOL_ROLL_CALL_SUBJECT,
  poolSubject,
  runtimeMessageId,
  runtimeSubject,
} from '#protocol/subjects.ts';
import { POOL_BEAT_MS } from '#protocol/pool.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { type Random, randomInt } from '#kernel/random.ts';
import { signedBy } from '#test/support/signed.ts';

/** The records of all runtime processes of a run. */
export interface CallLedger {
  /** Times at which each call was accepted, by request id, UTC ms; several if it changed runtimes. */
  takes: Map<string, number[]>;
  /** Times at which each call lost its runtime, UTC ms. */
  losses: Map<string, number[]>;
  /** Results confirmed by the stream, except those that a server rejected because another runtime owned the call. */
  acknowledged: Set<string>;
}

export interface CallRuntimeOptions {
  natsUrl: string;
  runtimeId: string;
  random: Random;
  ledger: CallLedger;
  maxCalls: number;
  /** Captions per call. */
  segments: number;
  /** Token with which messages are signed; empty when the servers require none. */
  internalToken: string;
}

const RECONNECT_WAIT_MS = 200;
const PUBLISH_TIMEOUT_MS = 2_000;
const BEAT_TIMEOUT_MS = 1_000;
const RETRY_MS = 300;
/** Longer than a server waits for a reply, ms. */
const SLOW_MS = 2_500;
/** When the runtime hangs up a customer who stays, ms. */
const TALK_MS = { min: 80, max: 400 };
/** When the runtime hangs up a call whose end it was not notified of, and reports the result anyway, ms. */
const LOST_CALL_MS = 4_000;
/** Share of results that are reported twice. */
const REPEAT_SHARE = 0.1;
/** Share of calls that the runtime hangs up itself. */
const OWN_END_SHARE = 0.4;

interface Held {
  epoch: number;
  /** Aborted once the call is given to another runtime. */
  released: AbortController;
  done: Promise<void>;
}

/**
 * A call-flow runtime with the duties of a real one: it registers, accepts calls, speaks, and reports each result until it is confirmed.
 */
export class CallRuntime {
  /** Replies to offers too late for the server. */
  isSlow = false;
  /** Reports no capacity and refuses offers. */
  isFull = false;
  readonly #connection: NatsConnection;
  readonly #stream: JetStreamClient;
  readonly #options: CallRuntimeOptions;
  readonly #calls = new Map<string, Held>();
  #isClosed = false;

  private constructor(connection: NatsConnection, options: CallRuntimeOptions) {
    this.#connection = connection;
    this.#stream = jetstream(connection, { timeout: PUBLISH_TIMEOUT_MS });
    this.#options = options;
  }

  static async start(options: CallRuntimeOptions): Promise<CallRuntime> {
    const connection = await connect({
      ...runtimeAddress(options.natsUrl),
      // Another fault may have stopped the bus; like any runtime, this one waits for it.
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_WAIT_MS,
      ignoreAuthErrorAbort: true,
    });
    const runtime = new CallRuntime(connection, options);
    runtime.#listen();
    await connection.flush();
    void runtime.#keepBeating();
    return runtime;
  }

  /** Waits until the result of every accepted call is confirmed. */
  async finish(signal: AbortSignal): Promise<void> {
    while (this.#calls.size > 0 && !signal.aborted) {
      const done = Promise.all([...this.#calls.values()].map(call => call.done));
      await Promise.race([done, sleep(systemClock, RETRY_MS, signal)]);
    }
  }

  /** Ends like kill -9: the process's calls and its unsent reports are lost. */
  async kill(): Promise<void> {
    this.#isClosed = true;
    const at = systemClock.now();
    for (const requestId of this.#calls.keys()) note(this.#options.ledger.losses, requestId, at);
    await this.#connection.close();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connection.close();
  }

  #listen(): void {
    const { runtimeId, ledger } = this.#options;
    const hear = (name: 'start' | 'release' | 'rejected', take: (message: Msg) => void) =>
      this.#connection.subscribe(poolSubject(runtimeId, name), { callback: (_error, message) => take(message) });
    hear('start', message => void this.#offered(message));
    hear('release', message => {
      const { requestId, epoch } = message.json<{ requestId: string; epoch: number }>();
      const held = this.#calls.get(requestId);
      if (held && held.epoch <= epoch) held.released.abort();
    });
    hear('rejected', message => {
      const { requestId, code, subject } = message.json<{ requestId: string; code: string; subject: string }>();
      if (code !== 'STALE_EPOCH') return;
      if (subject.includes('.result.')) ledger.acknowledged.delete(requestId);
      this.#calls.get(requestId)?.released.abort();
    });
    this.#connection.subscribe(POOL_ROLL_CALL_SUBJECT, { callback: () => void this.#beat() });
  }

  async #keepBeating(): Promise<void> {
    while (!this.#isClosed) {
      await this.#beat();
      await sleep(systemClock, POOL_BEAT_MS);
    }
  }

  async #beat(): Promise<void> {
    if (this.#isClosed) return;
    const { runtimeId, maxCalls } = this.#options;
    const about = { name: 'chaos', version: '1', contract: 1, resumes: true, nodeTypes: [] };
    const body = { ...about, runtimeId, maxCalls: this.isFull ? 0 : maxCalls, active: this.#calls.size };
    // A lost heartbeat needs no retry, because the next one follows soon.
    const text = JSON.stringify(body);
    const sent = { timeout: BEAT_TIMEOUT_MS, ...this.#signed(POOL_BEAT_SUBJECT, text) };
    await this.#connection.request(POOL_BEAT_SUBJECT, text, sent).catch(() => undefined);
  }

  async #offered(message: Msg): Promise<void> {
    const { requestId, epoch } = message.json<{ requestId: string; epoch: number }>();
    if (this.isSlow) await sleep(systemClock, SLOW_MS);
    if (this.#isClosed) return;
    const { runtimeId, maxCalls } = this.#options;
    const held = this.#calls.get(requestId);
    if (held) {
      // A repeated offer gets a reply and starts nothing.
      held.epoch = Math.max(held.epoch, epoch);
      message.respond(JSON.stringify({ ok: true, runtimeId, epoch: held.epoch }));
    } else if (this.isFull || this.#calls.size >= maxCalls) message.respond('{"ok":false,"code":"BUSY","msg":"full"}');
    else {
      message.respond(JSON.stringify({ ok: true, runtimeId, epoch }));
      this.#take(requestId, epoch);
    }
  }

  #take(requestId: string, epoch: number): void {
    note(this.#options.ledger.takes, requestId, systemClock.now());
    const held: Held = { epoch, released: new AbortController(), done: Promise.resolve() };
    this.#calls.set(requestId, held);
    held.done = this.#converse(requestId, held).finally(() => this.#calls.delete(requestId));
  }

  async #converse(requestId: string, held: Held): Promise<void> {
    const { random, segments, runtimeId } = this.#options;
    const gone = Promise.withResolvers<void>();
    held.released.signal.addEventListener('abort', () => gone.resolve(), { once: true });
    const commands = this.#connection.subscribe(commandsOf(requestId), {
      callback: (_error, message) => {
        message.respond(JSON.stringify({ ok: true, runtimeId, epoch: held.epoch }));
        if (message.subject.endsWith('.hangup')) gone.resolve();
      },
    });
    for (let index = 0; index < segments; index++) this.#say(requestId, index);
    const endsItself = random.next() < OWN_END_SHARE;
    const patienceMs = endsItself ? randomInt(random, TALK_MS.min, TALK_MS.max) : LOST_CALL_MS;
    const isGone = await Promise.race([gone.promise.then(() => true), sleep(systemClock, patienceMs).then(() => false)]);
    if (!isGone && !this.#connection.isClosed()) this.#publish(actorSubject('call', requestId, 'hangup'), { cause: 'NORMAL_CLEARING' });
    if (!this.#connection.isClosed()) commands.unsubscribe();
    await this.#report(requestId, held, 0);
    if (random.next() < REPEAT_SHARE) await this.#report(requestId, held, 1);
  }

  #signed(subject: string, text: string, id?: string) {
    return signedBy(this.#options.internalToken, { subject, text, id });
  }

  #publish(subject: string, body: object): void {
    const text = JSON.stringify(body);
    this.#connection.publish(subject, text, this.#signed(subject, text));
  }

  #say(requestId: string, index: number): void {
    if (this.#connection.isClosed()) return;
    const segment = { segmentId: `s${index}`, speaker: index % 2 === 0 ? 'bot' : 'customer', text: `第 ${index} 句`.repeat(4) };
    this.#publish(captionSubject(requestId), { requestId, kind: 'segment', seq: index, segment });
  }

  /** Resends until the stream confirms: a missing reply is no confirmation. */
  async #report(requestId: string, held: Held, sequence: number): Promise<void> {
    const { ledger, runtimeId } = this.#options;
    while (!this.#isClosed && !held.released.signal.aborted) {
      const { epoch } = held;
      const body = JSON.stringify({ requestId, runtimeId, epoch, callStatus: 'completed', intent: 'chaos', payload: { mark: requestId } });
      // The epoch in the id keeps the reports of two successive owners apart, so that one does not suppress the other as a duplicate.
      const msgID = `${runtimeMessageId(requestId, 'result', sequence)}:${epoch}`;
      try {
        const subject = runtimeSubject('result', requestId);
        await this.#stream.publish(subject, body, { msgID, ...this.#signed(subject, body, msgID) });
        if (!held.released.signal.aborted) ledger.acknowledged.add(requestId);
        return;
      } catch {
        // The bus is unavailable; the report must be sent again.
        await sleep(systemClock, RETRY_MS);
      }
    }
  }
}

function note(times: Map<string, number[]>, requestId: string, at: number): void {
  times.set(requestId, [...(times.get(requestId) ?? []), at]);
}
