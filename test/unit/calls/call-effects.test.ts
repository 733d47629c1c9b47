import { noMetrics } from '#ports/metrics.ts';
import { describe, expect, test } from '@jest/globals';
import { CalloutError } from '#kernel/errors.ts';
import { silentLog } from '#kernel/log.ts';
import type { CallContext } from '#actors/call/context.ts';
import type { CallEffects, SettleParams } from '#actors/call/effects.ts';
import type { CallEvent } from '#actors/call/events.ts';
import type { EffectContext } from '#host/actor-host.ts';
import type { CallState } from '#operations/calls/call-aggregate.ts';
import { type CallEffectDeps, callEffects } from '#operations/calls/effects.ts';
import type { SettledDial } from '#ports/dial-store.ts';
import type { DialEnd } from '#rules/circuit-breaker.ts';

const AT = 1_000_000;
const META = JSON.stringify({ requestId: 'r', attemptId: 1, campaignId: 7, contactId: 1, cellId: 'c', businessConfig: {}, metadata: {} });
const OFFERED = { open: { live: { offering: 'asking' } } };
const refused = () => Promise.reject(new CalloutError('BUS_UNAVAILABLE', '话术运行时未接受 start：FULL'));
const accepted = () => Promise.resolve();

interface World {
  /** Answers each command to the runtime. */
  command?: () => Promise<void>;
  holds?: boolean;
  /** How the attempt stands when people are told of it. */
  attempt?: { status: string; hasResult: boolean };
  value?: unknown;
  context?: Partial<CallContext>;
}

/** Runs one effect of a call and tells what it did to the world. */
async function run<Name extends keyof CallEffects>(name: Name, params: CallEffects[Name], world: World = {}) {
  const asked: string[] = [];
  const sent: CallEvent[] = [];
  const ends: DialEnd[] = [];
  const told: string[] = [];
  const served: number[] = [];
  const settled: SettledDial[] = [];
  const deps = {
    writer: { settled: async (end: SettledDial) => void settled.push(end), answered: async () => void asked.push('answered') },
    dials: { findAttempts: async () => [world.attempt ?? { status: 'completed', hasResult: false }] },
    notes: { ended: (_campaignId: number, end: DialEnd) => void ends.push(end) },
    events: { record: async ({ type }: { type: string }) => void told.push(type) },
    runtime: {
      command: async (_id: string, command: string) => {
        asked.push(command);
        await (world.command ?? accepted)();
      },
      holds: async () => {
        asked.push('holds');
        return world.holds ?? false;
      },
    },
    clock: { now: () => AT + 20 },
    metrics: { ...noMetrics, callServed: (seconds: number) => void served.push(seconds) },
    log: silentLog,
    host: () => ({
      send: async (_id: string, event: CallEvent) => {
        sent.push(event);
        return { kind: 'applied' };
      },
    }),
  } as unknown as CallEffectDeps;
  const state = { value: world.value ?? OFFERED, context: { answeredAt: AT, ...world.context } };
  const context = { id: 'r', effectId: 'e', meta: META, state } as unknown as EffectContext<CallState>;
  await callEffects(deps)[name](params as never, context);
  return { asked, sent, ends, told, settled, served };
}

describe('an answered call is offered to a runtime [I9]', () => {
  test('that takes it: the call is served, and the dial has reached somebody', async () => {
    const { asked, sent, ends, served } = await run('startRuntime', { isRestored: false });
    expect(served).toEqual([0.02]);
    expect(asked).toEqual(['start']);
    expect(sent).toEqual([{ type: 'runtimeAccepted' }]);
    expect(ends).toEqual([{ requestId: 'r', outcome: 'reached', cause: null }]);
  });

  test('a refusal, and a bus on which nobody listens, are no fault of the effect: the call is offered again', async () => {
    const { asked, sent, ends } = await run('startRuntime', { isRestored: false }, { command: refused });
    expect(asked).toEqual(['start']);
    expect([sent, ends]).toEqual([[], []]);
  });

  test('any other fault is one', async () => {
    const command = () => Promise.reject(new Error('a bug'));
    await expect(run('startRuntime', { isRestored: false }, { command })).rejects.toThrow('a bug');
  });

  test('one that had been answered before is offered only when no runtime says that it has it', async () => {
    const held = await run('startRuntime', { isRestored: true }, { holds: true });
    expect(held.asked).toEqual(['holds']);
    expect(held.sent).toEqual([{ type: 'runtimeAccepted' }]);
    const free = await run('startRuntime', { isRestored: true }, { holds: false });
    expect(free.asked).toEqual(['holds', 'start']);
    expect(free.sent).toEqual([{ type: 'runtimeAccepted' }]);
  });

  test('one that is over, or that somebody has, is not', async () => {
    expect((await run('startRuntime', { isRestored: false }, { value: 'settling' })).asked).toEqual([]);
    expect((await run('startRuntime', { isRestored: false }, { value: { open: { live: 'served' } } })).asked).toEqual([]);
  });
});

describe('what the answer tells the breaker', () => {
  test('nothing before a runtime has the call: three customers whom nobody took are three failures in a row', async () => {
    expect((await run('recordAnswered', { answeredAt: AT })).ends).toEqual([]);
  });

  test('that somebody was reached, when a runtime told of the answer or finds its calls by itself', async () => {
    for (const context of [{ runtimeStarted: true }, { runtimeTaken: true }]) {
      const { ends } = await run('recordAnswered', { answeredAt: AT }, { value: { open: { live: 'served' } }, context });
      expect(ends).toEqual([{ requestId: 'r', outcome: 'reached', cause: null }]);
    }
  });
});

describe('a call that ends without a result', () => {
  const end = (changes: Partial<SettleParams>): SettleParams => ({
    status: 'failed',
    callStatus: 'failed',
    cause: null,
    by: 'system',
    replyText: null,
    endedAt: AT,
    answeredAt: null,
    ...changes,
  });
  const complete = end({ status: 'completed', callStatus: 'completed', cause: 'NORMAL_CLEARING', answeredAt: AT });

  test('answered: its result is missing, and people are told [D7.8]', async () => {
    const { settled, told, ends } = await run('settleAttempt', complete);
    expect(settled).toMatchObject([{ status: 'completed', isResultMissing: true, isOurFault: false, answeredAt: AT }]);
    expect(told).toEqual(['call.result_incomplete']);
    expect(ends).toEqual([]);
  });

  test.each([
    { status: 'completed', hasResult: true },
    { status: 'failed', hasResult: true },
  ])('one whose result has come meanwhile is complete: %o', async attempt => {
    expect((await run('settleAttempt', complete, { attempt })).told).toEqual([]);
  });

  test.each([
    ['GATEWAY_DOWN', null],
    ['RUNTIME_UNAVAILABLE', AT],
  ])('by our fault (%s): the contact loses nothing and the breaker knows at once', async (cause, answeredAt) => {
    const { settled, told, ends } = await run('settleAttempt', end({ isOurFault: true, cause, answeredAt }));
    expect(settled).toMatchObject([{ status: 'failed', isOurFault: true, isResultMissing: false, hangupCause: cause }]);
    expect(ends).toEqual([{ requestId: 'r', outcome: 'failed', cause, isLocal: true }]);
    expect(told).toEqual([]);
  });

  test.each([
    ['USER_BUSY', 'reached'],
    ['NORMAL_TEMPORARY_FAILURE', 'failed'],
    [null, 'void'],
  ] as const)('%s without an answer is %s to the breaker', async (cause, outcome) => {
    const { ends } = await run('settleAttempt', end({ cause }));
    expect(ends).toEqual([{ requestId: 'r', outcome, cause }]);
  });
});
