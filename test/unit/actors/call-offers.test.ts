import { describe, expect, test } from '@jest/globals';
import type { SpeechFound } from '#actors/call/speech.ts';
import { givenMachine } from '#test/support/machine-given.ts';
import { type CallContext, isStale } from '#actors/call/context.ts';
import type { CallEvent } from '#actors/call/events.ts';
import { callMachine } from '#actors/call/machine.ts';
import { OFFERED, SERVED, after, answered, declined, given, hungUp, missing, offer, taken, types } from './call-given.ts';

/** The runtime that was heard has lost the call. */
const UNHEARD = { type: 'noteUnheard', params: null };

describe('a report with an older epoch', () => {
  const context = (more: object) => ({ ...given().state.context, epochBase: 100, epoch: 103, ...more });

  test('is rejected once the call was offered again', () => {
    expect(isStale(context({}), { epoch: 102 })).toBe(true);
    expect(isStale(context({}), { epoch: 103 })).toBe(false);
    expect(isStale(context({}), {})).toBe(false);
  });

  test('is rejected like one with an unknown epoch, or one of a runtime that does not own the call', () => {
    expect(isStale(context({}), { epoch: 104 })).toBe(true);
    const owned = context({ runtimeTaken: true, owner: 'runtime-1' });
    expect(isStale(owned, { epoch: 103, runtimeId: 'runtime-9' })).toBe(true);
    expect(isStale(owned, { runtimeId: 'runtime-9' })).toBe(true);
    expect(isStale(owned, { epoch: 103, runtimeId: 'runtime-1' })).toBe(false);
    expect(isStale(context({ runtimeTaken: false, owner: 'runtime-1' }), { epoch: 103, runtimeId: 'runtime-2' })).toBe(false);
    expect(isStale(context({ runtimeTaken: true, owner: null }), { epoch: 103, runtimeId: 'older' })).toBe(false);
  });

  test('is rejected from a runtime that has declined the call or lost it, whatever epoch it claims', () => {
    const offered = context({ tried: ['runtime-1'] });
    expect(isStale(offered, { epoch: 103, runtimeId: 'runtime-1' })).toBe(true);
    expect(isStale(offered, { epoch: 103, runtimeId: 'runtime-2' })).toBe(false);
    const started: CallEvent = { type: 'runtimeStarted', at: 1_100, epoch: 2, runtimeId: 'runtime-1' };
    expect(given(answered, declined(1)).when(started).ignored).toBe(true);
    expect(given(answered, declined(1), declined(2, null)).when(started).ignored).toBe(true);
    expect(given(answered, declined(1)).when({ ...started, runtimeId: 'runtime-2' }).value).toEqual(SERVED);
  });

  test('from before a loss of the live state counts until another runtime has the call, so no result is lost with the cache', () => {
    expect(isStale(context({ epoch: 100 }), { epoch: 7 })).toBe(false);
    expect(isStale(context({ owner: 'runtime-2' }), { epoch: 7 })).toBe(true);
  });
});

describe('a runtime that is lost [I9]', () => {
  const lost: CallEvent = { type: 'runtimeLost', runtimeId: 'runtime-1' };

  test('leaves its customer to another runtime that resumes the call', () => {
    const step = given(answered, taken).when(lost);
    expect(step.value).toEqual(OFFERED);
    expect(step.effects).toEqual([UNHEARD, offer(2, { isResuming: true, tried: ['runtime-1'] })]);
    const served = given(answered, taken, lost).when({ type: 'runtimeAccepted', runtimeId: 'runtime-2', epoch: 2 });
    expect(served.value).toEqual(SERVED);
  });

  test('leaves its customer to the apology when no runtime resumes, and the contact loses no attempt', () => {
    const parting = given(answered, taken, { type: 'runtimeStarted', at: 1_100 }, lost, after('offerLimit', 'open.live.offering'));
    expect(parting.when(hungUp).effects).toContainEqual({
      type: 'settleAttempt',
      params: expect.objectContaining({ status: 'failed', isOurFault: true, cause: 'RUNTIME_UNAVAILABLE', by: 'system' }),
    });
  });

  test('owns the call once it reports the start, even if its reply to the offer was lost; the call is then checked for it', () => {
    const look = after('liveCheck', 'open.live.served');
    const found: CallEvent = { type: 'channelFound', answeredAt: 1_000, isHeard: false };
    const unanswered: CallEvent = { type: 'runtimeDeclined', runtimeId: null, epoch: 1 };
    const started = given(answered, unanswered, { type: 'runtimeStarted', at: 1_100 });
    expect(started.state.context).toMatchObject({ runtimeTaken: true, owner: null });
    expect(started.when({ type: 'speechDue' }).effects.map(({ type }) => type)).toEqual(['checkSpeech']);
    expect(given(answered, unanswered, { type: 'runtimeStarted', at: 1_100 }, look, found, look).when(found).value).toEqual(OFFERED);
  });

  test('is replaced when two checks in a row find no subscriber of its commands; one may fail during a reconnect', () => {
    const look = after('liveCheck', 'open.live.served');
    const found = (isHeard: boolean | null): CallEvent => ({ type: 'channelFound', answeredAt: 1_000, isHeard });
    const once = given(answered, taken, look).when(found(false));
    expect([once.value, once.timers]).toMatchObject([SERVED, { liveCheck: 15_000 }]);
    const twice = given(answered, taken, look, found(false), look).when(found(false));
    expect(twice.value).toEqual(OFFERED);
    expect(twice.effects).toEqual([UNHEARD, offer(2, { isResuming: true, tried: ['runtime-1'] })]);
    for (const isHeard of [true, null]) {
      const between = given(answered, taken, look, found(false), look, found(isHeard), look).when(found(false));
      expect(between.value).toEqual(SERVED);
    }
  });

  test('changes nothing unless it owns the call', () => {
    expect(given(answered, taken).when({ type: 'runtimeLost', runtimeId: 'runtime-9' }).ignored).toBe(true);
    expect(given(answered).when(lost).ignored).toBe(true);
  });
});

describe('an answered customer whom no runtime accepts [I9]', () => {
  const limit = after('offerLimit', 'open.live.offering');

  test('is offered to one runtime after another, never twice to the same, and in another round after a pause', () => {
    const second = given(answered).when(declined(1));
    expect(second.value).toEqual(OFFERED);
    expect(second.effects).toEqual([offer(2, { tried: ['runtime-1'] })]);
    const nobodyLeft = given(answered, declined(1)).when(declined(2, null));
    expect(nobodyLeft).toMatchObject({ value: { open: { live: { offering: 'resting' } } }, effects: [] });
    const again = given(answered, declined(1), declined(2, null)).when(after('breath', 'open.live.offering.resting'));
    expect(again.effects).toEqual([offer(3)]);
  });

  test('does not wait longer for runtimes that decline or do not reply: the limit counts from the answer', () => {
    expect(given().when(answered).timers).toMatchObject({ offerLimit: 4_000 });
    const breath = after('breath', 'open.live.offering.resting');
    const steps = [
      given(answered).when(declined(1)),
      given(answered, declined(1)).when(declined(2)),
      given(answered).when(after('reoffer', 'open.live.offering.asking')),
      given(answered, declined(1, null)).when(breath),
    ];
    for (const { timers } of steps) expect(Object.keys(timers)).not.toContain('offerLimit');
  });

  test("is served when the runtime's first report arrives before its reply", () => {
    const speaking = given(answered, { type: 'runtimeStarted', at: 1_100 });
    expect(speaking.when(taken).value).toEqual(SERVED);
    expect(given(answered, { type: 'runtimeStarted', at: 1_100 }, taken).state.context.owner).toBe('runtime-1');
  });

  test('may hang up before the runtime replies; the accepting runtime still reports the result', () => {
    expect(given(answered, hungUp).when(taken)).toMatchObject({ value: 'settling', ignored: false });
  });

  test('cannot be accepted once the apology plays', () => {
    expect(given(answered, limit).when(taken).ignored).toBe(true);
  });

  test('is not affected by a reply to an older offer', () => {
    const asking = given(answered, declined(1));
    expect(asking.when(taken).ignored).toBe(true);
    expect(asking.when({ type: 'runtimeRefused', epoch: 1 }).ignored).toBe(true);
    expect(asking.when({ type: 'runtimeAccepted', runtimeId: 'runtime-2', epoch: 2 }).value).toEqual(SERVED);
  });

  test('hears the apology at once when a runtime finds the offer invalid', () => {
    expect(given(answered).when({ type: 'runtimeRefused', epoch: 1 }).value).toEqual({ open: { parting: 'apologising' } });
  });

  test('is offered again when the offer gets no reply', () => {
    const step = given(answered).when(after('reoffer', 'open.live.offering.asking'));
    expect(step.effects).toEqual([offer(2)]);
    expect(step.timers).toEqual({ reoffer: 1_500 });
  });

  test('gets no extra time from a probe of the switch', () => {
    expect(given(answered).when({ type: 'channelSuspected' }).ignored).toBe(true);
  });

  test('hears an apology after 4 s, and the channel ends even if the apology does not', () => {
    const step = given(answered).when(limit);
    expect(step.value).toEqual({ open: { parting: 'apologising' } });
    expect(types(step)).toEqual(['apologise']);
    expect(step.timers).toEqual({ offerLimit: null, reoffer: null, apology: 15_000 });
    const stuck = given(answered, limit).when(after('apology', 'open.parting.apologising'));
    expect(types(stuck)).toEqual(['killChannel', 'probeSwitch']);
    expect(given(answered, limit, after('apology', 'open.parting.apologising')).when(missing(1)).value).toEqual({ ended: 'closed' });
  });

  test.each([
    ['after the apology', [limit]],
    ['by a hang-up before it, without a result within the grace', []],
  ] as [string, CallEvent[]][])('costs the contact no attempt: ended %s', (_what, events) => {
    const over = given(answered, ...events).when(hungUp);
    const step = events.length > 0 ? over : given(answered, hungUp).when(after('resultGrace', 'settling'));
    expect(step.effects).toContainEqual({
      type: 'settleAttempt',
      params: expect.objectContaining({
        status: 'failed',
        cause: 'RUNTIME_UNAVAILABLE',
        by: 'system',
        isOurFault: true,
        // Only a runtime that had enough time and did not serve the call is at fault.
        isVoid: events.length === 0,
      }),
    });
  });

  test('is served too late by a runtime, which is notified that the call is over', () => {
    expect(types(given(answered, limit, { type: 'runtimeStarted', at: 9_000 }).when(hungUp))).toContain('notifyHangup');
  });

  test('is not offered at all where the runtime finds its calls by itself', () => {
    const input = { dialTimeoutMs: 40_000, graceMs: 30_000, resultGraceMs: 60_000, runtimeTaken: true };
    const step = givenMachine<CallContext, CallEvent>(callMachine, input)().when(answered);
    expect(step.value).toEqual(SERVED);
    expect(types(step)).toEqual(['recordAnswered']);
  });
});

describe('a runtime that accepts a call and stays silent [I9]', () => {
  const due: CallEvent = { type: 'speechDue' };
  const started: CallEvent = { type: 'runtimeStarted', at: 1_100, epoch: 1 };
  const found = (changes: Partial<SpeechFound> = {}): CallEvent => ({
    type: 'speechFound',
    epoch: 1,
    botMark: null,
    lastMark: null,
    isCustomers: false,
    isElsewhere: false,
    ...changes,
  });
  const heCalls = found({ botMark: 'b', lastMark: 'c', isCustomers: true });

  test('is checked 8 s after it accepted, and the customer goes to another runtime that starts over', () => {
    expect(given(answered).when(taken).timers).toMatchObject({ speechDue: 8_000 });
    expect(given(answered, taken).when(due).effects).toEqual([{ type: 'checkSpeech', params: { epoch: 1 } }]);
    const mute = given(answered, taken).when(found());
    expect(mute.value).toEqual(OFFERED);
    expect(mute.effects).toEqual([
      { type: 'giveUpRuntime', params: { runtimeId: 'runtime-1', epoch: 1, kind: 'mute' } },
      offer(2, { tried: ['runtime-1'] }),
    ]);
    expect(mute.timers).toMatchObject({ offerLimit: 4_000 });
  });

  test('is the second one in the same call: the customer hears the apology', () => {
    const second: CallEvent = { type: 'runtimeAccepted', runtimeId: 'runtime-2', epoch: 2 };
    const step = given(answered, taken, found(), second).when(found({ epoch: 2 }));
    expect([step.value, types(step)]).toEqual([{ open: { parting: 'apologising' } }, ['giveUpRuntime', 'apologise']]);
  });

  test.each([
    ['reports the start', started, ['noteSpoke']],
    ['sends its first caption', found({ botMark: 'b' }), ['noteSpoke']],
  ])('but %s is trusted, and checked again', (_how, sign, effects) => {
    const step = given(answered, taken).when(sign);
    expect([types(step), step.timers]).toMatchObject([effects, { speechDue: 15_000 }]);
    expect(given(answered, taken, sign).when(found({ botMark: 'b' })).value).toEqual(SERVED);
  });

  test('after the customer spoke loses the customer to one that resumes the call', () => {
    const looks = [heCalls, heCalls];
    expect(given(answered, taken, started, heCalls).when(heCalls).value).toEqual(SERVED);
    const silent = given(answered, taken, started, ...looks).when(heCalls);
    expect(silent.value).toEqual(OFFERED);
    expect(silent.effects).toEqual([
      { type: 'giveUpRuntime', params: { runtimeId: 'runtime-1', epoch: 1, kind: 'silent' } },
      UNHEARD,
      offer(2, { isResuming: true, tried: ['runtime-1'] }),
    ]);
  });

  test.each([
    ['captions arrive in between', [heCalls, found({ botMark: 'b', lastMark: 'd', isCustomers: true })]],
    ['the bot spoke last', [found({ botMark: 'b', lastMark: 'b' }), found({ botMark: 'b', lastMark: 'b' })]],
    ['the customer is being transferred to an agent', [heCalls, { ...heCalls, isElsewhere: true } as CallEvent]],
  ])('does not count as silent while %s', (_how, looks) => {
    expect(given(answered, taken, started, ...looks).when(looks[1] as CallEvent).value).toEqual(SERVED);
  });

  test('is not affected by a check of an older epoch or after the end', () => {
    expect(given(answered, taken).when(found({ epoch: 9 })).ignored).toBe(true);
    expect(given(answered, taken, hungUp).when(due).ignored).toBe(true);
    expect(given(answered).when(due).ignored).toBe(true);
  });
});

describe('a call whose live state was lost [I9, D7.11]', () => {
  const MUTE: CallEvent = { type: 'speechFound', epoch: 1, botMark: null, lastMark: null, isCustomers: false, isElsewhere: false };
  const back: CallEvent = { type: 'channelFound', answeredAt: 1_000 };
  const restored = (heardRuntime: string | null, unheardMs: number | null): CallEvent[] => [
    { type: 'answerRestored', at: 1_000, heardRuntime, unheardMs },
    back,
  ];
  const takenAfter = (events: CallEvent[], runtimeId: string | null = 'runtime-1') =>
    given(...events).when({ type: 'runtimeAccepted', runtimeId, epoch: 1 });

  test.each([
    ['0.1 s', 100, 8_000],
    ['15 s', 15_000, 8_000],
    ['18 s', 18_000, 6_000],
    ['22 s', 22_000, 4_000],
    ['3 min', 180_000, 4_000],
  ])('continues the wait of a customer who has heard nobody: %s', (_how, unheardMs, lookMs) => {
    expect(takenAfter(restored(null, unheardMs)).timers).toMatchObject({ speechDue: lookMs });
  });

  test.each([
    ['another runtime, which begins the call, while one may have been tried', 11_900, OFFERED, ['giveUpRuntime', 'startRuntime']],
    ['the apology when two may have been tried', 12_000, { open: { parting: 'apologising' } }, ['giveUpRuntime', 'apologise']],
  ])('goes from a mute runtime to %s', (_what, unheardMs, place, effects) => {
    const step = given(...restored(null, unheardMs), taken).when(MUTE);
    expect([step.value, types(step)]).toEqual([place, effects]);
    expect(step.effects).not.toContainEqual(expect.objectContaining({ params: expect.objectContaining({ isResuming: true }) }));
  });

  test.each([
    ['a registered one', 'runtime-1', 'runtime-1'],
    ['one that has not registered', '', null],
  ])('is watched as before when its runtime had been heard: %s', (_who, heardRuntime, owner) => {
    const step = takenAfter(restored(heardRuntime, null), owner);
    expect([types(step), step.timers]).toMatchObject([[], { speechDue: 15_000 }]);
    const own: CallEvent = { type: 'runtimeAccepted', runtimeId: owner, epoch: 1 };
    expect(given(...restored(heardRuntime, null), own).when(MUTE).value).toEqual(SERVED);
  });

  test('gives an unregistered runtime that was never heard the limit of a first word, too', () => {
    expect(takenAfter(restored(null, 100), null).timers).toMatchObject({ speechDue: 8_000 });
    const older: CallEvent = { type: 'runtimeAccepted', runtimeId: null, epoch: 1 };
    expect(given(...restored(null, 100), older).when(MUTE).value).toEqual(OFFERED);
  });

  test('restarts the wait when another runtime takes it than the one that was heard; the next one resumes the call', () => {
    const step = takenAfter(restored('runtime-9', null));
    expect([step.effects, step.timers]).toMatchObject([[UNHEARD], { speechDue: 8_000 }]);
    const mute = given(...restored('runtime-9', null), taken).when(MUTE);
    expect(mute.effects).toContainEqual(offer(2, { isResuming: true, tried: ['runtime-1'] }));
  });

  test('records the first word of its runtime', () => {
    const started: CallEvent = { type: 'runtimeStarted', at: 1_100, epoch: 1 };
    const step = given(...restored(null, 15_000), taken).when(started);
    expect([step.effects, step.timers]).toMatchObject([[{ type: 'noteSpoke', params: { runtimeId: 'runtime-1' } }], { speechDue: 15_000 }]);
    expect(given(...restored(null, 15_000), taken, started).when(MUTE).value).toEqual(SERVED);
  });

  const BASE = 5_000;
  const begunAnew = givenMachine<CallContext, CallEvent>(callMachine, {
    dialTimeoutMs: 40_000,
    graceMs: 30_000,
    resultGraceMs: 60_000,
    epoch: BASE,
  });
  const lostStart: CallEvent = { type: 'runtimeStarted', at: 1_100, epoch: 3, runtimeId: 'runtime-1' };
  const takenBy = (runtimeId: string): CallEvent => ({ type: 'runtimeAccepted', runtimeId, epoch: BASE + 1 });

  test('is offered although a start from before the loss arrives; the runtime that sent it counts as heard once it has the call', () => {
    const [known, found] = restored(null, 100) as [CallEvent, CallEvent];
    const step = begunAnew(known, lostStart).when(found);
    expect([step.value, step.effects]).toEqual([OFFERED, [offer(BASE + 1, { isRestored: true })]]);
    expect(begunAnew(known, lostStart, found).when(takenBy('runtime-1')).timers).toMatchObject({ speechDue: 15_000 });
    const other = begunAnew(known, lostStart, found).when(takenBy('runtime-2'));
    expect([other.effects, other.timers]).toMatchObject([[UNHEARD], { speechDue: 8_000 }]);
    expect(begunAnew(known, found).when(lostStart).value).toEqual(OFFERED);
  });

  test('asks the switch when such a start arrives before the answer is known, and is offered first to the runtime that claims it', () => {
    const ringing: CallEvent = { type: 'channelFound', answeredAt: null };
    const step = begunAnew({ type: 'dialUnknown' }, ringing).when(lostStart);
    expect([step.value, types(step)]).toEqual([{ open: { verifying: 'probing' } }, ['probeSwitch']]);
    expect(begunAnew({ type: 'dialUnknown' }).when(back).effects).toContainEqual(offer(BASE + 1, { isRestored: true }));
  });

  test.each([
    ['had been heard', restored('runtime-1', null).slice(0, 1)],
    ['reports a start from before the loss', [...restored(null, 100).slice(0, 1), lostStart]],
  ])('counts as served when it ends before the offer and its runtime %s', (_how, events) => {
    const step = begunAnew(...events, hungUp).when(after('resultGrace', 'settling'));
    expect(step.effects).toContainEqual({ type: 'settleAttempt', params: expect.objectContaining({ status: 'completed' }) });
  });
});
