import { RUNTIME_CARE } from '#protocol/runtime-care.ts';
import { describe, expect, test } from '@jest/globals';
import { silentLog } from '#kernel/log.ts';
import type { CallContext } from '#actors/call/context.ts';
import type { CallEffects, SettleParams } from '#actors/call/effects.ts';
import type { CallEvent } from '#actors/call/events.ts';
import type { CallState } from '#calls/call-actor.ts';
import { type CallEffectOptions, callEffects } from '#calls/effects.ts';
import { type RuntimeFact, type RuntimeVerdict } from '#runtimes/decisions/runtime-care.ts';
import type { KeptCaption, SettledDial } from '#outcomes/outcome-store.ts';
import type { CallHolder } from '#runtimes/runtime-link.ts';
import type { DialEnd } from '#campaigns/decisions/breaker.ts';
import { noMetrics } from '#test/support/no-metrics.ts';
import type { StartAnswer } from '#protocol/hand-over.ts';
import type { EffectContext } from '#platform/actor-host/aggregate.ts';

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
  /** Result of each command to the runtime. */
  command?: () => Promise<void>;
  /** The runtime that claims to have the call. */
  holder?: CallHolder;
  /** The runtime that the pool picks; an error: how the pool fails. */
  picked?: string | null | Error;
  /** The runtime's reply to the offer. */
  start?: StartAnswer;
  /** The pool's verdict on a reported fact. */
  verdict?: RuntimeVerdict;
  /** Whether the call's commands have a subscriber; the call is up at the switch. */
  hears?: boolean | null;
  /** When the bus returned; null: it is away. UTC ms */
  reachableSince?: number | null;
  /** How the actor handles an event. */
  outcome?: 'applied' | 'ignored' | 'duplicate';
  /** Context of the actor after the event. */
  after?: Partial<CallContext>;
  /** State of the attempt when the operator would be notified. */
  attempt?: { status: string; hasResult: boolean };
  value?: unknown;
  context?: Partial<CallContext>;
}

/** Runs one effect of a call and returns what it did to its surroundings. */
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
    writer: {
      settled: async (end: SettledDial) => void settled.push(end),
      answered: async () => void asked.push('answered'),
      heard: async ({ heard }: { heard: string | false }) => void asked.push(`heard ${heard}`),
    },
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
      reachableSince: () => (world.reachableSince === undefined ? 0 : world.reachableSince),
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
  } as unknown as CallEffectOptions;
  const state = { value: world.value ?? OFFERED, context: { answeredAt: AT, epoch: 7, ...world.context } };
  const context = { id: 'r', effectId: 'e', meta: META, state } as unknown as EffectContext<CallState>;
  await callEffects(deps)[name](params as never, context);
  return { asked, sent, commandIds, ends, told, settled, served, offers, facts, kept };
}

describe('the check of a call once a minute', () => {
  const look = async (world: World) => (await run('probeSwitch', { sightings: 1 }, world)).sent;
  const found = (isHeard: boolean | null) => [{ type: 'channelFound', answeredAt: AT, isHeard }];

  test.each([['runtime-1'], [null]])('reports whether its commands have a subscriber, when a runtime (%s) owns it', async owner => {
    const context = { owner, runtimeTaken: true };
    for (const hears of [true, false, null]) expect(await look({ context, hears })).toEqual(found(hears));
  });

  test('does not look for a subscriber while no runtime owns it', async () => {
    expect(await look({ hears: false })).toEqual(found(null));
    expect(await look({ context: { owner: 'runtime-1', runtimeTaken: false }, hears: false })).toEqual(found(null));
  });
});

describe('the pool learns how runtimes treat answered customers [I9]', () => {
  test.each([
    ['unanswered', [{ kind: 'unanswered', runtimeId: 'runtime-1' }]],
    ['declined', [{ kind: 'answered', runtimeId: 'runtime-1' }]],
    ['accepted', []],
  ] as const)('from a start that was %s', async (start, facts) => {
    expect((await run('startRuntime', OFFER, { start })).facts).toEqual(facts);
  });

  test('and the operator is notified of a runtime that is no longer offered calls', async () => {
    const { told } = await run('startRuntime', OFFER, { start: 'unanswered', verdict: 'aside' });
    expect(told).toEqual(['runtime.down']);
  });

  test('and counts an apology against the business, unless a lost runtime had the call', async () => {
    const missed = await run('apologise', undefined, { verdict: 'closed' });
    expect([missed.facts, missed.told]).toEqual([[{ kind: 'unserved', businessCode: 'demo' }], ['runtime.down']]);
    expect((await run('apologise', undefined, { context: { isResuming: true } })).facts).toEqual([]);
  });

  test.each([
    ['is away', null, 0],
    ['returned after the answer', AT + 1_000, 0],
    ['returned just before it, so that runtimes may still be connecting', AT - 4_999, 0],
    ['returned long before it', AT - 5_000, 1],
  ])('but not when the bus %s', async (_, reachableSince, facts) => {
    expect((await run('apologise', undefined, { reachableSince })).facts).toHaveLength(facts);
  });
});

test('two different replies within one effect are two commands', async () => {
  const commands = async (world: World) => (await run('startRuntime', OFFER, world)).commandIds;
  const ids = [
    await commands({}),
    await commands({ start: 'declined' }),
    await commands({ start: 'declined', picked: 'runtime-2' }),
  ].flat();
  expect(new Set(ids).size).toBe(3);
});

const OFFER = { epoch: 7, isRestored: false, isResuming: false, tried: [] };

describe('the offer of an answered call to a runtime [I9]', () => {
  test('is accepted: the call is served, and the dial has reached a customer', async () => {
    const { asked, sent, ends, served } = await run('startRuntime', OFFER);
    expect(served).toEqual([0.02]);
    expect(asked).toEqual(['start runtime-1']);
    expect(sent).toEqual([{ type: 'runtimeAccepted', runtimeId: 'runtime-1', epoch: 7 }]);
    expect(ends).toEqual([{ requestId: 'r', outcome: 'reached', cause: null }]);
  });

  test('is passed on by a runtime that is full or does not reply, and that runtime is released from the call', async () => {
    const { asked, sent, ends } = await run('startRuntime', OFFER, { start: 'declined' });
    expect(asked).toEqual(['start runtime-1', 'release runtime-1 superseded']);
    expect(sent).toEqual([{ type: 'runtimeDeclined', runtimeId: 'runtime-1', epoch: 7 }]);
    expect(ends).toEqual([]);
  });

  test('that one runtime finds invalid is invalid for all', async () => {
    expect((await run('startRuntime', OFFER, { start: 'refused' })).sent).toEqual([{ type: 'runtimeRefused', epoch: 7 }]);
  });

  test.each(['accepted', 'declined', 'refused'] as const)('is counted in the metrics: %s', async start => {
    expect((await run('startRuntime', OFFER, { start })).offers).toEqual([start]);
  });

  test('is not counted when no runtime received it', async () => {
    const resumed = await run('startRuntime', { ...OFFER, isResuming: true }, { picked: null });
    const held = await run('startRuntime', { ...OFFER, isRestored: true }, { holder: { runtimeId: null, epoch: null } });
    expect([resumed.offers, held.offers]).toEqual([[], []]);
  });

  test('goes to any subscriber when no runtime has registered', async () => {
    const { asked, sent } = await run('startRuntime', OFFER, { picked: null });
    expect(asked).toEqual(['start null']);
    expect(sent).toEqual([{ type: 'runtimeAccepted', runtimeId: null, epoch: 7 }]);
  });

  test('for a resumed call goes only to a runtime that can resume', async () => {
    const { asked, sent } = await run('startRuntime', { ...OFFER, isResuming: true }, { picked: null });
    expect(asked).toEqual([]);
    expect(sent).toEqual([{ type: 'runtimeDeclined', runtimeId: null, epoch: 7 }]);
  });

  test('is released when it is accepted too late', async () => {
    const { asked, ends } = await run('startRuntime', OFFER, { outcome: 'ignored' });
    expect(asked).toEqual(['start runtime-1', 'release runtime-1 superseded']);
    expect(ends).toEqual([]);
  });

  test('keeps the runtime that an earlier run of the same effect gave the call to', async () => {
    const after = { owner: 'runtime-1' };
    for (const start of ['accepted', 'declined'] as const)
      expect((await run('startRuntime', OFFER, { start, outcome: 'ignored', after })).asked).toEqual(['start runtime-1']);
  });

  test('fails on any other error', async () => {
    await expect(run('startRuntime', OFFER, { picked: new Error('a bug') })).rejects.toThrow('a bug');
  });

  test('for a call answered before a loss of the live state goes first to the runtime that claims it, under the new epoch', async () => {
    const held = await run('startRuntime', { ...OFFER, isRestored: true }, { holder: { runtimeId: 'runtime-2', epoch: 3 } });
    expect(held.asked).toEqual(['holder', 'start runtime-2']);
    expect(held.sent).toEqual([{ type: 'runtimeAccepted', runtimeId: 'runtime-2', epoch: 7 }]);
    const older = await run('startRuntime', { ...OFFER, isRestored: true }, { holder: { runtimeId: null, epoch: 3 } });
    expect(older.asked).toEqual(['holder']);
    expect(older.sent).toEqual([{ type: 'runtimeAccepted', runtimeId: null, epoch: 7, heldEpoch: 3 }]);
    const free = await run('startRuntime', { ...OFFER, isRestored: true });
    expect(free.asked).toEqual(['holder', 'start runtime-1']);
  });

  test('is not sent for a call that is over or owned, nor for an older epoch', async () => {
    expect((await run('startRuntime', OFFER, { value: 'settling' })).asked).toEqual([]);
    expect((await run('startRuntime', OFFER, { value: { open: { live: 'served' } } })).asked).toEqual([]);
    expect((await run('startRuntime', { ...OFFER, epoch: 6 })).asked).toEqual([]);
  });
});

describe('whom the customer hears [D7.11]', () => {
  test.each([
    ['runtime-1', 'heard runtime-1'],
    [null, 'heard '],
  ])('is stored, and counts for the pool: %s', async (runtimeId, written) => {
    const { asked, facts } = await run('noteSpoke', { runtimeId });
    expect([asked, facts]).toEqual([[written], [{ kind: 'spoke', runtimeId, businessCode: 'demo' }]]);
  });

  test('is nobody once that runtime has lost the call', async () => {
    expect((await run('noteUnheard', undefined)).asked).toEqual(['heard false']);
  });
});

describe('the breaker', () => {
  test('counts no answer before a runtime has the call: three unserved customers are three failures in a row', async () => {
    expect((await run('recordAnswered', { answeredAt: AT })).ends).toEqual([]);
  });

  test('counts a customer as reached when the runtime reported the answer or finds its calls by itself', async () => {
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

  test('is incomplete if it was answered, and the operator is notified [D7.8]', async () => {
    const { settled, told, ends } = await run('settleAttempt', complete);
    expect(settled).toMatchObject([{ status: 'completed', isResultMissing: true, isOurFault: false, answeredAt: AT }]);
    expect(told).toEqual(['call.result_incomplete']);
    expect(ends).toEqual([]);
  });

  test('keeps its captions if it was answered, including those after the result', async () => {
    expect((await run('settleAttempt', complete)).kept).toEqual([['喂']]);
    expect((await run('settleAttempt', end({ isOurFault: true, answeredAt: AT }))).kept).toEqual([['喂']]);
    expect((await run('settleAttempt', end({ cause: 'USER_BUSY' }))).kept).toEqual([]);
    expect((await run('recordEnd', { endedAt: AT })).kept).toEqual([['喂']]);
  });

  test.each([
    { status: 'completed', hasResult: true },
    { status: 'failed', hasResult: true },
  ])('is complete if its result has arrived meanwhile: %o', async attempt => {
    expect((await run('settleAttempt', complete, { attempt })).told).toEqual([]);
  });

  test.each([
    ['GATEWAY_DOWN', null, 'failed', { isLocal: true, isSilent: true }],
    // Failures of runtimes close the pool; they say nothing about the route to the customer.
    ['RUNTIME_UNAVAILABLE', AT, 'void', {}],
  ] as const)(
    'through our fault (%s) costs the contact no attempt, and counts as %s for the breaker',
    async (cause, answeredAt, outcome, more) => {
      const { settled, told, ends } = await run('settleAttempt', end({ isOurFault: true, cause, answeredAt }));
      expect(settled).toMatchObject([{ status: 'failed', isOurFault: true, isResultMissing: false, hangupCause: cause }]);
      expect(ends).toEqual([{ requestId: 'r', outcome, cause, ...more }]);
      expect(told).toEqual([]);
    },
  );

  test.each([
    ['USER_BUSY', 'reached'],
    ['NORMAL_TEMPORARY_FAILURE', 'failed'],
    [null, 'void'],
  ] as const)('with %s and without an answer counts as %s for the breaker', async (cause, outcome) => {
    const { ends } = await run('settleAttempt', end({ cause }));
    expect(ends).toEqual([{ requestId: 'r', outcome, cause }]);
  });
});
