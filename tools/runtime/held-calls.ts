import type { CommandAnswer, StartCommand } from '#protocol/hand-over.ts';
import type { ReleaseCommand } from '#protocol/pool.ts';
import { commandsOf } from '#protocol/subjects.ts';
import type { Cancel } from '#kernel/clock.ts';
import { accepted, adoptNewer, answerCommand } from './call-commands.ts';
import { type LiveCall, type LiveCallDeps, startLiveCall } from './live-call.ts';
import type { NatsLink } from './nats-link.ts';

export interface HeldCallsDeps extends LiveCallDeps {
  link: NatsLink;
  hasRoom(): boolean;
  /** Called when a call begins or ends. */
  onChange(): void;
}

/** Calls of this runtime: live ones, and ended ones for a minute. */
export interface HeldCalls {
  /** Number of live calls. */
  live(): number;
  has(requestId: string): boolean;
  /** Begins a call; repeats the response when the runtime has it already. */
  take(offer: StartCommand): CommandAnswer;
  /** Gives the call up, because another runtime owns it. */
  release(command: Pick<ReleaseCommand, 'requestId' | 'epoch'>): void;
  /** Gives the call up after a STALE_EPOCH rejection: it was handed over elsewhere without a release command to this runtime. */
  disown(requestId: string): void;
  endAll(ending: Parameters<LiveCall['end']>[0]): void;
  /** Settles when all currently live calls have ended. */
  settled(): Promise<unknown>;
  /** Drops ended calls with their timers and subscriptions, so that nothing keeps the process alive. */
  close(): void;
}

/** How long an ended call still responds to commands, which the server may repeat, in ms. */
const RETAIN_MS = 60_000;
/** How long after an adoption rejections of older reports may still arrive, in ms. */
const ADOPTION_MS = 10_000;

interface Held {
  call: LiveCall;
  adoptedAt: number | null;
  stopCommands: () => void;
}

const BUSY: CommandAnswer = { ok: false, code: 'BUSY', msg: '话术引擎已满，请稍后重试' };

export function createHeldCalls(deps: HeldCallsDeps): HeldCalls {
  const { link, clock, runtimeId } = deps;
  const calls = new Map<string, Held>();
  const live = new Set<LiveCall>();
  /** Epochs of released calls: an older start command is refused. */
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
