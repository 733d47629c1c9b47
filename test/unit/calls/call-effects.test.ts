import { describe, expect, test } from '@jest/globals';
import { silentLog } from '#kernel/log.ts';
import type { CallContext } from '#actors/call/context.ts';
import type { CallEffects, SettleParams } from '#actors/call/effects.ts';
import type { CallEvent } from '#actors/call/events.ts';
import type { EffectContext } from '#host/actor-host.ts';
import type { CallState } from '#operations/calls/call-aggregate.ts';
import { type CallEffectDeps, callEffects } from '#operations/calls/effects.ts';
import { RUNTIME_CARE, type RuntimeFact, type RuntimeVerdict } from '#rules/runtime-care.ts';
import type { KeptCaption, SettledDial } from '#ports/dial-store.ts';
import type { CallHolder, StartAnswer } from '#ports/runtime-link.ts';
import type { DialEnd } from '#rules/breaker.ts';
import { noMetrics } from '#test/support/no-metrics.ts';

const AT = 1_000_000;
const META = JSON.stringify({
  requestId: 'r',
  attemptId: 1,
  campaignId: 7,
  businessCode: 'demo',
  contactId: 1,
  cellId: 'c',
  businessConfig: {},
  metadata: {},
});
const OFFERED = { open: { live: { offering: 'asking' } } };
const accepted = () => Promise.resolve();

interface World {
  /** Answers each command to the runtime. */
  command?: () => Promise<void>;
  /** Who says that it has the call. */
  holder?: CallHolder;
  /** Where the pool has a place; an error: what it fails with. */
  picked?: string | null | Error;
  /** What the runtime answers to the offer. */
  start?: StartAnswer;
  /** What the pool makes of what it is told. */
  verdict?: RuntimeVerdict;
  /** Whether somebody hears the commands of the call, which stands at the switch. */
  hears?: boolean | null;
  /** What the actor makes of an event. */
  outcome?: 'applied' | 'ignored' | 'duplicate';
  /** What the actor knows after it. */
  after?: Partial<CallContext>;
  /** How the attempt stands when people are told of it. */
  attempt?: { status: string; hasResult: boolean };
  value?: unknown;
  context?: Partial<CallContext>;
}

/** Runs one effect of a call and tells what it did to the world. */
async function run<Name extends keyof CallEffects>(name: Name, params: CallEffects[Name], world: World = {}) {
  const asked: string[] = [];
  const sent: CallEvent[] = [];
  const commandIds: string[] = [];
  const ends: DialEnd[] = [];
  const told: string[] = [];
  const served: number[] = [];
  const offers: StartAnswer[] = [];
  const settled: SettledDial[] = [];
  const facts: RuntimeFact[] = [];
  const kept: string[][] = [];
  const deps = {
    writer: { settled: async (end: SettledDial) => void settled.push(end), answered: async () => void asked.push('answered') },
    dials: {
      findAttempts: async () => [world.attempt ?? { status: 'completed', hasResult: false }],
      recordEnd: async () => undefined,
      keepCaptions: async (_id: string, captions: readonly KeptCaption[]) => void kept.push(captions.map(({ text }) => text)),
    },
    notes: { ended: (_campaignId: number, end: DialEnd) => void ends.push(end) },
    events: { record: async ({ type }: { type: string }) => void told.push(type) },
    runtime: {
      command: async (_id: string, command: string) => {
        asked.push(command);
        await (world.command ?? accepted)();
      },
      holder: async () => {
        asked.push('holder');
        return world.holder ?? null;
      },
      start: async (runtimeId: string | null) => {
        asked.push(`start ${runtimeId}`);
        return world.start ?? 'accepted';
      },
      isReachable: () => true,
      hears: async () => (world.hears === undefined ? true : world.hears),
      release: (runtimeId: string, { reason }: { reason: string }) => void asked.push(`release ${runtimeId} ${reason}`),
    },
    pool: {
      pick: async () => {
        if (world.picked instanceof Error) throw world.picked;
        return world.picked === undefined ? 'runtime-1' : world.picked;
      },
      note: async (fact: RuntimeFact) => {
        facts.push(fact);
        return world.verdict ?? null;
      },
      list: async () => [],
    },
    wake: { campaign: () => void asked.push('wake') },
    settings: { care: RUNTIME_CARE },
    liveCalls: { read: async () => [{ segments: [{ text: '喂' }] }] },
    switchPort: { dismiss: async () => void asked.push('dismiss'), probe: async () => ({ kind: 'answered', answeredAt: AT }) },
    mediaOf: () => ({}),
    clock: { now: () => AT + 20 },
    metrics: {
      ...noMetrics,
      callServed: (seconds: number) => void served.push(seconds),
      runtimeOffered: (answer: StartAnswer) => void offers.push(answer),
    },
    log: silentLog,
    host: () => ({
      send: async (_id: string, event: CallEvent, commandId: string) => {
        sent.push(event);
        commandIds.push(commandId);
        return { kind: world.outcome ?? 'applied', state: { value: {}, context: { epoch: 7, ...world.after } } };
      },
    }),
  } as unknown as CallEffectDeps;
  const state = { value: world.value ?? OFFERED, context: { answeredAt: AT, epoch: 7, ...world.context } };
  const context = { id: 'r', effectId: 'e', meta: META, state } as unknown as EffectContext<CallState>;
  await callEffects(deps)[name](params as never, context);
  return { asked, sent, commandIds, ends, told, settled, served, offers, facts, kept };
}

describe('a call that stands is looked at each minute', () => {
  const look = async (world: World) => (await run('probeSwitch', { sightings: 1 }, world)).sent;
  const found = (isHeard: boolean | null) => [{ type: 'channelFound', answeredAt: AT, isHeard }];

  test.each([['runtime-1'], [null]])('with whether anybody hears its commands, when a runtime (%s) has it', async owner => {
    const context = { owner, runtimeTaken: true };
    for (const hears of [true, false, null]) expect(await look({ context, hears })).toEqual(found(hears));
  });

  test('nobody is asked for a call that no runtime has', async () => {
    expect(await look({ hears: false })).toEqual(found(null));
    expect(await look({ context: { owner: 'runtime-1', runtimeTaken: false }, hears: false })).toEqual(found(null));
  });
});

describe('what runtimes do with answered customers is remembered [I9]', () => {
  test.each([
    ['unanswered', [{ kind: 'unanswered', runtimeId: 'runtime-1' }]],
    ['declined', [{ kind: 'answered', runtimeId: 'runtime-1' }]],
    ['accepted', []],
  ] as const)('a start that was %s', async (start, facts) => {
    expect((await run('startRuntime', OFFER, { start })).facts).toEqual(facts);
  });

  test('one that is offered no call any more is named to people', async () => {
    const { told } = await run('startRuntime', OFFER, { start: 'unanswered', verdict: 'aside' });
    expect(told).toEqual(['runtime.down']);
  });

  test('a customer who hears the apology is missed by the business, unless a runtime that has gone had the call', async () => {
    const missed = await run('apologise', undefined, { verdict: 'closed' });
    expect([missed.facts, missed.told]).toEqual([[{ kind: 'unserved', businessCode: 'demo' }], ['runtime.down']]);
    expect((await run('apologise', undefined, { context: { isResuming: true } })).facts).toEqual([]);
  });
});

test('two answers of one effect are two commands', async () => {
  const commands = async (world: World) => (await run('startRuntime', OFFER, world)).commandIds;
  const ids = [
    await commands({}),
    await commands({ start: 'declined' }),
    await commands({ start: 'declined', picked: 'runtime-2' }),
  ].flat();
  expect(new Set(ids).size).toBe(3);
});

const OFFER = { epoch: 7, isRestored: false, isResuming: false, tried: [] };

describe('an answered call is offered to a runtime [I9]', () => {
  test('that takes it: the call is served, and the dial has reached somebody', async () => {
    const { asked, sent, ends, served } = await run('startRuntime', OFFER);
    expect(served).toEqual([0.02]);
    expect(asked).toEqual(['start runtime-1']);
    expect(sent).toEqual([{ type: 'runtimeAccepted', runtimeId: 'runtime-1', epoch: 7 }]);
    expect(ends).toEqual([{ requestId: 'r', outcome: 'reached', cause: null }]);
  });

  test('one that is full, or silent, leaves it to another, and is told that the call is not its own', async () => {
    const { asked, sent, ends } = await run('startRuntime', OFFER, { start: 'declined' });
    expect(asked).toEqual(['start runtime-1', 'release runtime-1 superseded']);
    expect(sent).toEqual([{ type: 'runtimeDeclined', runtimeId: 'runtime-1', epoch: 7 }]);
    expect(ends).toEqual([]);
  });

  test('what is no call to one is none to any', async () => {
    expect((await run('startRuntime', OFFER, { start: 'refused' })).sent).toEqual([{ type: 'runtimeRefused', epoch: 7 }]);
  });

  test.each(['accepted', 'declined', 'refused'] as const)('each offer is counted: %s', async start => {
    expect((await run('startRuntime', OFFER, { start })).offers).toEqual([start]);
  });

  test('what nobody was offered is not counted', async () => {
    const resumed = await run('startRuntime', { ...OFFER, isResuming: true }, { picked: null });
    const held = await run('startRuntime', { ...OFFER, isRestored: true }, { holder: { runtimeId: null, epoch: null } });
    expect([resumed.offers, held.offers]).toEqual([[], []]);
  });

  test('without one that has registered, to whoever listens', async () => {
    const { asked, sent } = await run('startRuntime', OFFER, { picked: null });
    expect(asked).toEqual(['start null']);
    expect(sent).toEqual([{ type: 'runtimeAccepted', runtimeId: null, epoch: 7 }]);
  });

  test('a call that another has left goes to nobody who has not said that it can', async () => {
    const { asked, sent } = await run('startRuntime', { ...OFFER, isResuming: true }, { picked: null });
    expect(asked).toEqual([]);
    expect(sent).toEqual([{ type: 'runtimeDeclined', runtimeId: null, epoch: 7 }]);
  });

  test('one that takes it when it no longer waits is told so', async () => {
    const { asked, ends } = await run('startRuntime', OFFER, { outcome: 'ignored' });
    expect(asked).toEqual(['start runtime-1', 'release runtime-1 superseded']);
    expect(ends).toEqual([]);
  });

  test('an effect that runs twice takes nothing from the runtime to which the other run has given the call', async () => {
    const after = { owner: 'runtime-1' };
    for (const start of ['accepted', 'declined'] as const)
      expect((await run('startRuntime', OFFER, { start, outcome: 'ignored', after })).asked).toEqual(['start runtime-1']);
  });

  test('any other fault is one', async () => {
    await expect(run('startRuntime', OFFER, { picked: new Error('a bug') })).rejects.toThrow('a bug');
  });

  test('one that had been answered before goes first to the runtime that says that it has it, under the new epoch', async () => {
    const held = await run('startRuntime', { ...OFFER, isRestored: true }, { holder: { runtimeId: 'runtime-2', epoch: 3 } });
    expect(held.asked).toEqual(['holder', 'start runtime-2']);
    expect(held.sent).toEqual([{ type: 'runtimeAccepted', runtimeId: 'runtime-2', epoch: 7 }]);
    const older = await run('startRuntime', { ...OFFER, isRestored: true }, { holder: { runtimeId: null, epoch: 3 } });
    expect(older.asked).toEqual(['holder']);
    expect(older.sent).toEqual([{ type: 'runtimeAccepted', runtimeId: null, epoch: 7, heldEpoch: 3 }]);
    const free = await run('startRuntime', { ...OFFER, isRestored: true });
    expect(free.asked).toEqual(['holder', 'start runtime-1']);
  });

  test('one that is over, that somebody has, or of an older offer is not', async () => {
    expect((await run('startRuntime', OFFER, { value: 'settling' })).asked).toEqual([]);
    expect((await run('startRuntime', OFFER, { value: { open: { live: 'served' } } })).asked).toEqual([]);
    expect((await run('startRuntime', { ...OFFER, epoch: 6 })).asked).toEqual([]);
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

  test('what was said in it is kept where somebody answered, and what was said after the result too', async () => {
    expect((await run('settleAttempt', complete)).kept).toEqual([['喂']]);
    expect((await run('settleAttempt', end({ isOurFault: true, answeredAt: AT }))).kept).toEqual([['喂']]);
    expect((await run('settleAttempt', end({ cause: 'USER_BUSY' }))).kept).toEqual([]);
    expect((await run('recordEnd', { endedAt: AT })).kept).toEqual([['喂']]);
  });

  test.each([
    { status: 'completed', hasResult: true },
    { status: 'failed', hasResult: true },
  ])('one whose result has come meanwhile is complete: %o', async attempt => {
    expect((await run('settleAttempt', complete, { attempt })).told).toEqual([]);
  });

  test.each([
    ['GATEWAY_DOWN', null, 'failed', { isLocal: true, isSilent: true }],
    // The runtimes' failures close the pool, not the way to the person.
    ['RUNTIME_UNAVAILABLE', AT, 'void', {}],
  ] as const)('by our fault (%s): the contact loses nothing, and to the breaker it is %s', async (cause, answeredAt, outcome, more) => {
    const { settled, told, ends } = await run('settleAttempt', end({ isOurFault: true, cause, answeredAt }));
    expect(settled).toMatchObject([{ status: 'failed', isOurFault: true, isResultMissing: false, hangupCause: cause }]);
    expect(ends).toEqual([{ requestId: 'r', outcome, cause, ...more }]);
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
