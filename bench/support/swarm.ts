import { connect, type Socket } from 'node:net';
import { systemClock } from '#kernel/clock.ts';
import { type Random, randomInt, seededRandom } from '#kernel/random.ts';
import { waitUntil } from '#test/support/wait-until.ts';

export interface SwarmPlan {
  port: number;
  /** Sent after connecting. */
  hello: Buffer;
  /** Sent when `after` has arrived, one step after the other. */
  steps?: readonly { after: string; send: (index: number) => Buffer }[];
  /** Text that marks a subscriber as ready, after the steps. */
  ready: string;
  /** Text that occurs once in each event. */
  marker: string;
  subscribers: number;
  /** Number of subscribers that stop reading once they are ready. */
  stalled?: number;
  /** Connections opened at once; absent: 100. */
  atOnce?: number;
  /**
   * Receives the text after the marker in each event of the last subscriber, as far as it has arrived. The others then read and drop what
   * they receive, uncounted.
   */
  onEvent?: (text: string) => void;
}

export interface Swarm {
  /** Events received, summed over all subscribers that read. */
  delivered(): number;
  /** Connections that the server closed before they were ready; each was opened again. */
  refused(): number;
  close(): Promise<void>;
}

/** Empty frames of RFC 6455; the first byte cannot occur in JSON text. */
const PING = Buffer.from([0x89, 0]);
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const OPEN_AT_ONCE = 100;
/** Random wait before a refused client reconnects, in ms, spread as browsers do. */
const RETRY_MS = { minMs: 100, maxMs: 1_000 };
const READY_WITHIN_MS = 120_000;

/**
 * Opens subscribers at the lowest cost for the client: they only search the received bytes for a text.
 *
 * Why: they share the machine with the measured server
 */
export async function openSwarm(plan: SwarmPlan): Promise<Swarm> {
  const atOnce = plan.atOnce ?? OPEN_AT_ONCE;
  const crowd: Crowd = { ready: 0, delivered: 0, refused: 0, isClosing: false, sockets: [], random: seededRandom(plan.subscribers) };
  for (let index = 0; index < plan.subscribers; index++) {
    subscribe(plan, index, crowd);
    if (index % atOnce === atOnce - 1) await waitUntil('subscribers', () => crowd.ready > index - atOnce, READY_WITHIN_MS);
  }
  await waitUntil('all subscribers', () => crowd.ready === plan.subscribers, READY_WITHIN_MS);
  return {
    delivered: () => crowd.delivered,
    refused: () => crowd.refused,
    async close() {
      crowd.isClosing = true;
      await Promise.all(crowd.sockets.map(socket => new Promise<void>(resolve => socket.once('close', () => resolve()).destroy())));
    },
  };
}

interface Crowd {
  ready: number;
  delivered: number;
  refused: number;
  isClosing: boolean;
  /** The current connection of each subscriber. */
  sockets: Socket[];
  random: Random;
}

/** One subscriber; a connection that ends before it is ready is followed by another one after a random wait. */
function subscribe(plan: SwarmPlan, index: number, crowd: Crowd): void {
  const socket = connect({ host: '127.0.0.1', port: plan.port, noDelay: true });
  crowd.sockets[index] = socket;
  const awaited = [...(plan.steps ?? []), { after: plan.ready, send: null }];
  const isDropping = plan.onEvent !== undefined && index < plan.subscribers - 1;
  let text = '';
  socket.once('connect', () => socket.write(plan.hello));
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    // A WebSocket that does not answer a ping counts as dead.
    if (chunk.includes(PING)) socket.write(PONG);
    if (isDropping && awaited.length === 0) return;
    text += chunk.toString('latin1');
    for (let step = awaited[0]; step && text.includes(step.after); step = awaited[0]) {
      awaited.shift();
      text = '';
      if (step.send) socket.write(step.send(index));
      else ready();
    }
    if (awaited.length > 0) return;
    for (let at = text.indexOf(plan.marker); at >= 0; at = text.indexOf(plan.marker)) {
      text = text.slice(at + plan.marker.length);
      crowd.delivered += 1;
      plan.onEvent?.(text);
    }
    text = text.slice(-plan.marker.length);
  });
  socket.once('close', () => {
    if (awaited.length === 0 || crowd.isClosing) return;
    crowd.refused += 1;
    const { minMs, maxMs } = RETRY_MS;
    systemClock.schedule(randomInt(crowd.random, minMs, maxMs), () => subscribe(plan, index, crowd));
  });
  const ready = () => {
    crowd.ready += 1;
    if (index < (plan.stalled ?? 0)) socket.pause();
  };
}
