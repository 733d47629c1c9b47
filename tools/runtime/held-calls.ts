import type { CommandAnswer, StartCommand } from '#contract/nats/commands.ts';
import type { ReleaseCommand } from '#contract/nats/runtime-pool.ts';
import { commandsOf } from '#contract/nats/subjects.ts';
import type { Cancel } from '#kernel/clock.ts';
import { accepted, adoptNewer, answerCommand } from './call-commands.ts';
import { type LiveCall, type LiveCallDeps, startLiveCall } from './live-call.ts';
import type { NatsLink } from './nats-link.ts';

export interface HeldCallsDeps extends LiveCallDeps {
  link: NatsLink;
  hasRoom(): boolean;
  /** A call has begun or is over. */
  onChange(): void;
}

/** The calls of this runtime: those that go on, and for a minute those that are over. */
export interface HeldCalls {
  /** Calls that go on. */
  live(): number;
  has(requestId: string): boolean;
  /** Begins a call, or answers as before when it is here. */
  take(offer: StartCommand): CommandAnswer;
  /** The call is not this runtime's any more. */
  release(command: Pick<ReleaseCommand, 'requestId' | 'epoch'>): void;
  /** Reports are refused because a later hand-over has taken place, of which nothing was heard here. */
  disown(requestId: string): void;
  endAll(ending: Parameters<LiveCall['end']>[0]): void;
  /** Settles when every call that goes on now is over. */
  settled(): Promise<unknown>;
  /** Calls that are over answer to nothing any more: nothing of them is left to keep a process. */
  close(): void;
}

/** An ended call still answers to its commands for this long: the server may repeat them. ms */
const RETAIN_MS = 60_000;
/** Refusals of reports from before a call was handed over once more may come this long after it, ms. */
const ADOPTION_MS = 10_000;

interface Held {
  call: LiveCall;
  adoptedAt: number | null;
  stopCommands: () => void;
}

const BUSY: CommandAnswer = { ok: false, code: 'BUSY', msg: '话术运行时已满，请稍后重试' };

export function createHeldCalls(deps: HeldCallsDeps): HeldCalls {
  const { link, clock, runtimeId } = deps;
  const calls = new Map<string, Held>();
  const live = new Set<LiveCall>();
  /** The epoch by which a call went away: an order from before it begins nothing. */
  const released = new Map<string, number>();
  const timers = new Set<Cancel>();

  function later(task: () => void): void {
    const cancel = clock.schedule(RETAIN_MS, () => {
      timers.delete(cancel);
      task();
    });
    timers.add(cancel);
  }

  function begin(offer: StartCommand): Held {
    const { requestId } = offer;
    const call = startLiveCall(deps, offer);
    const stopCommands = link.subscribe(commandsOf(requestId), {}, message => message.respond(answerCommand({ call, runtimeId }, message)));
    const held = { call, stopCommands, adoptedAt: null };
    calls.set(requestId, held);
    live.add(call);
    deps.onChange();
    void call.done.then(() => {
      live.delete(call);
      deps.onChange();
      later(() => forget(requestId, held));
    });
    return held;
  }

  function forget(requestId: string, held: Held): void {
    held.stopCommands();
    if (calls.get(requestId) === held) calls.delete(requestId);
  }

  function release(requestId: string, epoch: number): void {
    const held = calls.get(requestId);
    if (epoch < (held?.call.epoch() ?? 0)) return;
    released.set(requestId, epoch);
    later(() => {
      if (released.get(requestId) === epoch) released.delete(requestId);
    });
    if (held === undefined) return;
    held.call.release();
    forget(requestId, held);
  }

  return {
    live: () => live.size,
    has: requestId => calls.has(requestId),
    take(offer) {
      const { requestId, epoch } = offer;
      const known = calls.get(requestId);
      if (known && adoptNewer(known.call, epoch)) known.adoptedAt = clock.monotonic();
      if (known) return accepted({ call: known.call, runtimeId });
      if ((epoch ?? 0) < (released.get(requestId) ?? 0) || !deps.hasRoom()) return BUSY;
      return accepted({ call: begin(offer).call, runtimeId });
    },
    release: ({ requestId, epoch }) => release(requestId, epoch),
    disown(requestId) {
      const held = calls.get(requestId);
      if (held === undefined) return;
      const { adoptedAt } = held;
      if (adoptedAt !== null && clock.monotonic() - adoptedAt < ADOPTION_MS) return;
      release(requestId, (held.call.epoch() ?? 0) + 1);
    },
    endAll: ending => live.forEach(call => call.end(ending)),
    settled: () => Promise.all([...live].map(call => call.done)),
    close() {
      timers.forEach(cancel => cancel());
      calls.forEach((held, requestId) => forget(requestId, held));
    },
  };
}
