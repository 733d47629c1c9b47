import type { Clock } from '#kernel/clock.ts';
import { withDeadline } from '#kernel/deadline.ts';
import type { RuntimeLink } from '#runtimes/runtime-link.ts';
import { countsAsRuntime, seenAbsent } from './guards.ts';
import type { Runtimes } from './runtime.ts';
import type { Scenario } from './scenario.ts';
import { BUS, type Wire } from './wire.ts';

/** Same value as in src/runtimes/nats-runtime-link.ts, ms. */
const START_TIMEOUT_MS = 1_000;

export interface RuntimeLineOptions {
  wire: Wire;
  runtimes: Runtimes;
  clock: Clock;
  without: Scenario['without'];
}

/** The runtimes as one instance reaches them. The bus itself is never away: its messages are late or lost. */
export function runtimeLine({ wire, runtimes, clock, without }: RuntimeLineOptions): RuntimeLink {
  return {
    reachableSince: () => 0,
    start: (runtimeId, requestId, { epoch }) =>
      withDeadline(
        clock,
        START_TIMEOUT_MS,
        wire.call(BUS, 'start', [requestId], async () => runtimes.start(runtimeId, requestId, Number(epoch))),
        () => new Error('no answer'),
      ).catch(() => 'unanswered' as const),
    release: (runtimeId, { requestId, epoch }) =>
      void wire.call(BUS, 'release', [requestId], async () => runtimes.release(runtimeId, requestId, epoch)).catch(() => undefined),
    command: (requestId, name) =>
      wire.call(BUS, name, [requestId], async () => (name === 'hangup' ? runtimes.hangUp(requestId) : undefined)),
    order: (requestId, name) =>
      wire.call(BUS, name, [requestId], async () => ({ ok: false as const, code: 'UNKNOWN_COMMAND' as const, msg: '' })),
    holder: requestId => wire.call(BUS, 'ping', [requestId], async () => runtimes.holder(requestId)).catch(() => null),
    hears: requestId => wire.call(BUS, 'ping', [requestId], async () => runtimes.hears(requestId)).catch(() => null),
    probe: runtimeId =>
      wire.call(BUS, 'probe', [runtimeId], async () => seenAbsent(without, runtimes.probe(runtimeId))).catch(() => 'silent' as const),
    listens: () => wire.call(BUS, 'probe', [], async () => countsAsRuntime(without, runtimes.listens())).catch(() => null),
    requestHeartbeats: () => void wire.call(BUS, 'roll', [], async () => runtimes.callRoll()).catch(() => undefined),
  };
}
