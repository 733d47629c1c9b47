import { jetstream, type JetStreamClient } from '@nats-io/jetstream';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { natsAddress } from '#contract/nats/address.ts';
import { actorSubject, captionSubject, commandsOf, runtimeMessageId, runtimeSubject, START_SUBJECTS } from '#contract/nats/subjects.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { randomInt, seededRandom } from '#kernel/random.ts';

/** A call-flow runtime that does what a real one must: takes calls, speaks, and reports each result until it is acknowledged. */
export interface CallRuntime {
  /** When each call was taken, UTC ms, by request id. */
  taken: ReadonlyMap<string, number>;
  /** Results that the stream has acknowledged. */
  acknowledged: ReadonlySet<string>;
  /** Waits until every result of a taken call is acknowledged. */
  finish(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface RuntimeOptions {
  natsUrl: string;
  seed: number;
  /** Captions per call. */
  segments: number;
  /** Of servers that ask for one. */
  internalToken?: string;
}

const RECONNECT_WAIT_MS = 200;
const PUBLISH_TIMEOUT_MS = 2_000;
const RETRY_MS = 300;
/** A customer who does not hang up is let go by the runtime after this, ms. */
const TALK_MS = { min: 80, max: 400 };
/** The goodbye of a call whose end nobody told or whose customer stays: it is ended, and its result is due all the same. ms */
const LOST_CALL_MS = 4_000;
/** Share of results that are reported twice. */
const REPEAT_SHARE = 0.1;
/** Share of calls that the runtime ends itself. */
const OWN_END_SHARE = 0.4;

export async function startCallRuntime(options: RuntimeOptions): Promise<CallRuntime> {
  const connection = await connect({
    ...natsAddress(options.natsUrl),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    ignoreAuthErrorAbort: true,
  });
  const runtime = new Runtime(connection, options);
  connection.subscribe(START_SUBJECTS, { queue: 'chaos-runtime', callback: (_error, message) => runtime.take(message) });
  await connection.flush();
  return runtime;
}

class Runtime implements CallRuntime {
  readonly taken = new Map<string, number>();
  readonly acknowledged = new Set<string>();
  readonly #connection: NatsConnection;
  readonly #stream: JetStreamClient;
  readonly #options: RuntimeOptions;
  readonly #random;
  readonly #calls = new Set<Promise<void>>();
  #isClosed = false;

  constructor(connection: NatsConnection, options: RuntimeOptions) {
    this.#connection = connection;
    this.#stream = jetstream(connection, { timeout: PUBLISH_TIMEOUT_MS });
    this.#options = options;
    this.#random = seededRandom(options.seed);
  }

  take(message: Msg): void {
    const requestId = message.subject.split('.')[3] ?? '';
    message.respond('{"ok":true}');
    // A repeated order is answered and changes nothing.
    if (this.taken.has(requestId)) return;
    this.taken.set(requestId, systemClock.now());
    const call = this.#converse(requestId).finally(() => this.#calls.delete(call));
    this.#calls.add(call);
  }

  async finish(signal: AbortSignal): Promise<void> {
    while (this.#calls.size > 0 && !signal.aborted) await Promise.race([Promise.all(this.#calls), sleep(systemClock, RETRY_MS, signal)]);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connection.close();
  }

  async #converse(requestId: string): Promise<void> {
    const gone = Promise.withResolvers<void>();
    const commands = this.#connection.subscribe(commandsOf(requestId), {
      callback: (_error, message) => {
        message.respond('{"ok":true}');
        if (message.subject.endsWith('.hangup')) gone.resolve();
      },
    });
    for (let index = 0; index < this.#options.segments; index++) this.#say(requestId, index);
    const endsItself = this.#random.next() < OWN_END_SHARE;
    const patienceMs = endsItself ? randomInt(this.#random, TALK_MS.min, TALK_MS.max) : LOST_CALL_MS;
    const isGone = await Promise.race([gone.promise.then(() => true), sleep(systemClock, patienceMs).then(() => false)]);
    if (!isGone && !this.#connection.isClosed()) {
      const body = JSON.stringify({ cause: 'NORMAL_CLEARING', internalToken: this.#options.internalToken ?? '' });
      this.#connection.publish(actorSubject('call', requestId, 'hangup'), body);
    }
    commands.unsubscribe();
    await this.#report(requestId, 0);
    if (this.#random.next() < REPEAT_SHARE) await this.#report(requestId, 1);
  }

  #say(requestId: string, index: number): void {
    if (this.#connection.isClosed()) return;
    const segment = { segmentId: `s${index}`, speaker: index % 2 === 0 ? 'bot' : 'customer', text: `第 ${index} 句`.repeat(4) };
    this.#connection.publish(captionSubject(requestId), JSON.stringify({ requestId, kind: 'segment', seq: index, segment }));
  }

  /** Until the stream has it: an answer that never came is no answer. */
  async #report(requestId: string, sequence: number): Promise<void> {
    const body = JSON.stringify({ requestId, callStatus: 'completed', intent: 'chaos', payload: { mark: requestId } });
    while (!this.#isClosed) {
      try {
        await this.#stream.publish(runtimeSubject('result', requestId), body, { msgID: runtimeMessageId(requestId, 'result', sequence) });
        this.acknowledged.add(requestId);
        return;
      } catch {
        // The bus is away: the report is still owed.
        await sleep(systemClock, RETRY_MS);
      }
    }
  }
}
