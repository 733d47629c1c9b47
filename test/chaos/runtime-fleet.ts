import { sleep, systemClock } from '#kernel/clock.ts';
import { seededRandom } from '#kernel/random.ts';
import { type CallLedger, CallRuntime } from './call-runtime.ts';

export interface FleetOptions {
  natsUrl: string;
  seed: number;
  /** Captions per call. */
  segments: number;
  size: number;
  /** Capacity of each runtime. */
  maxCalls: number;
  /** Token with which messages are signed; empty when the servers require none. */
  internalToken?: string;
}

/** The call-flow runtimes of a run; each can be killed, slowed and filled. */
export interface RuntimeFleet extends CallLedger {
  kill(index: number, downMs: number): Promise<void>;
  /** Kills all runtimes and restarts them after `downMs`. */
  killAll(downMs: number): Promise<void>;
  slow(index: number, forMs: number): Promise<void>;
  fill(index: number, forMs: number): Promise<void>;
  /** Waits until the result of every accepted call is confirmed. */
  finish(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export async function startRuntimes(options: FleetOptions): Promise<RuntimeFleet> {
  const { natsUrl, seed, segments, size, maxCalls, internalToken = '' } = options;
  const ledger: CallLedger = { takes: new Map(), losses: new Map(), acknowledged: new Set() };
  let started = 0;
  // A restarted process is a new runtime with a new id.
  const start = () => {
    started += 1;
    const random = seededRandom(seed + started);
    return CallRuntime.start({ natsUrl, runtimeId: `chaos-${started}`, random, ledger, maxCalls, segments, internalToken });
  };
  const members = await Promise.all(Array.from({ length: size }, start));
  const one = (index: number): CallRuntime => {
    const member = members[index];
    if (!member) throw new Error(`there is no runtime ${index}`);
    return member;
  };
  const replace = async (index: number, downMs: number) => {
    await one(index).kill();
    await sleep(systemClock, downMs);
    members[index] = await start();
  };
  return {
    ...ledger,
    kill: replace,
    killAll: async downMs => void (await Promise.all(members.map((_, index) => replace(index, downMs)))),
    async slow(index, forMs) {
      const member = one(index);
      member.isSlow = true;
      await sleep(systemClock, forMs);
      member.isSlow = false;
    },
    async fill(index, forMs) {
      const member = one(index);
      member.isFull = true;
      await sleep(systemClock, forMs);
      member.isFull = false;
    },
    finish: async signal => void (await Promise.all(members.map(member => member.finish(signal)))),
    close: async () => void (await Promise.all(members.map(member => member.close()))),
  };
}
