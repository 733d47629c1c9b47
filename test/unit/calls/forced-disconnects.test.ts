import { expect, test } from '@jest/globals';
import { type Random, seededRandom } from '#kernel/random.ts';
import { FanOut, type Membership } from '#platform/feeds/fan-out.ts';
import { EVERY_CALL, type ScopedCallEvent } from '#calls/live-call-scope.ts';
import type { LiveCallsEvent } from '#calls/live-calls-feed.ts';
import type { LiveDelta } from '#platform/feeds/live-deltas.ts';
import { liveCallRig } from './live-call-rig.ts';

const DISCONNECTS = 10_000;
const CLIENTS = 25;
const CALLS = 12;
const SEED = 20_261_122;

type Rig = ReturnType<typeof liveCallRig>;

/** A client that trusts every event, is disconnected at random, resumes from its last cursor, and records each gap as a fault. */
class Client {
  readonly #rig: Rig;
  readonly #fanOut: FanOut<LiveCallsEvent, LiveCallsEvent>;
  #membership: Membership | null = null;
  #cursor: string | null = null;
  known = new Map<string, number>();
  readonly faults: string[] = [];
  resyncs = 0;
  replayed = 0;
  /** Like a full socket: events are not accepted until it drains. */
  isStalled = false;

  constructor(rig: Rig, fanOut: FanOut<LiveCallsEvent, LiveCallsEvent>) {
    this.#rig = rig;
    this.#fanOut = fanOut;
  }

  connect(): void {
    if (this.#membership) return;
    const sink = {
      put: (event: LiveCallsEvent, isOwed: boolean) => {
        if (this.isStalled && !isOwed) return;
        if (isOwed && this.#cursor !== null && event.kind === 'change' && 'before' in event.change) this.replayed += 1;
        this.#take(event);
      },
      end: () => undefined,
    };
    this.#membership = this.#fanOut.join(this.#rig.feed.channel(EVERY_CALL), event => event, { cursor: this.#cursor, sink });
  }

  disconnect(): boolean {
    if (!this.#membership) return false;
    this.#membership.leave();
    this.#membership = null;
    this.isStalled = false;
    return true;
  }

  drain(): void {
    if (!this.isStalled) return;
    this.isStalled = false;
    this.#membership?.catchUp();
  }

  #take(event: LiveCallsEvent): void {
    this.#cursor = event.cursor;
    if (event.kind === 'resync') {
      this.resyncs += 1;
      this.known = new Map();
    } else if (event.kind === 'snapshot') this.known = new Map(event.state.calls.map(call => [call.requestId, call.version]));
    else this.#takeChange(event.change);
  }

  #takeChange(change: ScopedCallEvent): void {
    if (change.kind === 'repaired') {
      if (change.call) this.known.set(change.call.requestId, change.call.version);
    } else if (change.kind === 'forgotten') this.known.delete(change.before.requestId);
    else {
      const { requestId, version } = change.call;
      const before = this.known.get(requestId) ?? 0;
      if (version !== before + 1) this.faults.push(`${requestId}: ${version} after ${before}`);
      this.known.set(requestId, version);
    }
  }
}

function change(rig: Rig, random: Random, index: number): LiveDelta {
  const call = `call-${Math.floor(random.next() * CALLS)}`;
  return rig.truth().has(call) ? rig.say(call, `s${index % 50}`, '话') : rig.start(call);
}

test(`${DISCONNECTS} forced disconnects: no gap and no duplicate without a resync, and at the end every client holds what the store has [I8, D10] (seed ${SEED})`, async () => {
  const rig = liveCallRig();
  const random = seededRandom(SEED);
  const fanOut = new FanOut<LiveCallsEvent, LiveCallsEvent>(rig.clock);
  const clients = Array.from({ length: CLIENTS }, () => new Client(rig, fanOut));
  for (const client of clients) client.connect();
  await rig.clock.pass(10);
  let disconnects = 0;
  for (let index = 0; disconnects < DISCONNECTS; index++) {
    const client = clients[Math.floor(random.next() * CLIENTS)];
    const delta = change(rig, random, index);
    // The bus loses one delta in two hundred.
    if (random.next() >= 0.005) rig.deltas.publish(delta);
    if (random.next() < 0.02 && client) client.isStalled = true;
    if (random.next() < 0.1) for (const each of clients) each.drain();
    if (random.next() < 0.9 && client?.disconnect()) disconnects += 1;
    else client?.connect();
    if (random.next() < 0.004) await rig.clock.pass(300);
    if (random.next() < 0.001) {
      rig.bus(false);
      rig.bus(true);
      await rig.clock.pass(1);
    }
  }
  for (const client of clients) {
    client.connect();
    client.drain();
  }
  await rig.clock.pass(12_000);
  expect(clients.flatMap(({ faults }) => faults)).toEqual([]);
  for (const { known } of clients) expect(known).toEqual(rig.truth());
  // The test would prove little if every reconnect resynchronised, or none did.
  expect(clients.reduce((sum, { replayed }) => sum + replayed, 0)).toBeGreaterThan(DISCONNECTS);
  expect(clients.reduce((sum, { resyncs }) => sum + resyncs, 0)).toBeGreaterThan(CLIENTS);
}, 120_000);
