import { describe, expect, test } from '@jest/globals';
import type { SpeechFound } from '#actors/call/speech.ts';
import { givenMachine } from '#test/support/machine-given.ts';
import { type CallContext, isStale } from '#actors/call/context.ts';
import type { CallEvent } from '#actors/call/events.ts';
import { callMachine } from '#actors/call/machine.ts';
import { OFFERED, SERVED, after, answered, declined, given, hungUp, missing, offer, taken, types } from './call-given.ts';

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
    expect(step.effects).toEqual([offer(2, { isResuming: true, tried: ['runtime-1'] })]);
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
    expect(twice.effects).toEqual([offer(2, { isResuming: true, tried: ['runtime-1'] })]);
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

  test('but had the call before the live state was lost gets a longer limit, and one without captions is trusted', () => {
    const restored: CallEvent = { type: 'answerRestored', at: 1_000 };
    const back: CallEvent = { type: 'channelFound', answeredAt: 1_000 };
    expect(given(restored, back).when(taken).timers).toMatchObject({ speechDue: 30_000 });
    expect(given(restored, back, taken).when(found({ botMark: 'b' })).value).toEqual(SERVED);
    const mute = given(restored, back, taken).when(found());
    expect(mute.effects).toContainEqual(offer(2, { isResuming: true, tried: ['runtime-1'] }));
    const older: CallEvent = { type: 'runtimeAccepted', runtimeId: null, epoch: 1 };
    expect(given(restored, back, older).when(found()).value).toEqual(SERVED);
  });

  test('after the customer spoke loses the customer to one that resumes the call', () => {
    const looks = [heCalls, heCalls];
    expect(given(answered, taken, started, heCalls).when(heCalls).value).toEqual(SERVED);
    const silent = given(answered, taken, started, ...looks).when(heCalls);
    expect(silent.value).toEqual(OFFERED);
    expect(silent.effects).toEqual([
      { type: 'giveUpRuntime', params: { runtimeId: 'runtime-1', epoch: 1, kind: 'silent' } },
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
