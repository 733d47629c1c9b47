import { describe, expect, test } from '@jest/globals';
import type { SpeechFound } from '#actors/call/speech.ts';
import { givenMachine } from '#test/support/machine-given.ts';
import { type CallContext, isStale } from '#actors/call/context.ts';
import type { CallEvent } from '#actors/call/events.ts';
import { callMachine } from '#actors/call/machine.ts';
import { OFFERED, SERVED, after, answered, declined, given, hungUp, missing, offer, taken, types } from './call-given.ts';

describe('a report under an older hand-over', () => {
  const context = (more: object) => ({ ...given().state.context, epochBase: 100, epoch: 103, ...more });

  test("is another runtime's call once this actor has handed it over anew", () => {
    expect(isStale(context({}), { epoch: 102 })).toBe(true);
    expect(isStale(context({}), { epoch: 103 })).toBe(false);
    expect(isStale(context({}), {})).toBe(false);
  });

  test('so is one by a hand-over that was never made, and one in the name of another than the owner', () => {
    expect(isStale(context({}), { epoch: 104 })).toBe(true);
    const owned = context({ runtimeTaken: true, owner: 'runtime-1' });
    expect(isStale(owned, { epoch: 103, runtimeId: 'runtime-9' })).toBe(true);
    expect(isStale(owned, { runtimeId: 'runtime-9' })).toBe(true);
    expect(isStale(owned, { epoch: 103, runtimeId: 'runtime-1' })).toBe(false);
    expect(isStale(context({ runtimeTaken: false, owner: 'runtime-1' }), { epoch: 103, runtimeId: 'runtime-2' })).toBe(false);
    expect(isStale(context({ runtimeTaken: true, owner: null }), { epoch: 103, runtimeId: 'older' })).toBe(false);
  });

  test('of before the live state was lost counts until somebody else has the call: no result is lost with the cache', () => {
    expect(isStale(context({ epoch: 100 }), { epoch: 7 })).toBe(false);
    expect(isStale(context({ owner: 'runtime-2' }), { epoch: 7 })).toBe(true);
  });
});

describe('a runtime that is gone [I9]', () => {
  const lost: CallEvent = { type: 'runtimeLost', runtimeId: 'runtime-1' };

  test('leaves its customer to another that goes on', () => {
    const step = given(answered, taken).when(lost);
    expect(step.value).toEqual(OFFERED);
    expect(step.effects).toEqual([offer(2, { isResuming: true, tried: ['runtime-1'] })]);
    const served = given(answered, taken, lost).when({ type: 'runtimeAccepted', runtimeId: 'runtime-2', epoch: 2 });
    expect(served.value).toEqual(SERVED);
  });

  test('leaves the customer to the apology when nobody goes on, and the contact loses nothing', () => {
    const parting = given(answered, taken, { type: 'runtimeStarted', at: 1_100 }, lost, after('offerLimit', 'open.live.offering'));
    expect(parting.when(hungUp).effects).toContainEqual({
      type: 'settleAttempt',
      params: expect.objectContaining({ status: 'failed', isOurFault: true, cause: 'RUNTIME_UNAVAILABLE', by: 'system' }),
    });
  });

  test('has the call once it reports the start, also when its answer to the offer is lost: whoever is not heard then loses it', () => {
    const look = after('liveCheck', 'open.live.served');
    const found: CallEvent = { type: 'channelFound', answeredAt: 1_000, isHeard: false };
    const unanswered: CallEvent = { type: 'runtimeDeclined', runtimeId: null, epoch: 1 };
    const started = given(answered, unanswered, { type: 'runtimeStarted', at: 1_100 });
    expect(started.state.context).toMatchObject({ runtimeTaken: true, owner: null });
    expect(started.when({ type: 'speechDue' }).effects.map(({ type }) => type)).toEqual(['checkSpeech']);
    expect(given(answered, unanswered, { type: 'runtimeStarted', at: 1_100 }, look, found, look).when(found).value).toEqual(OFFERED);
  });

  test('and of whose commands nobody hears at two looks in a row has let go of the call; once may be its connecting anew', () => {
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

  test('that does not have the call changes nothing', () => {
    expect(given(answered, taken).when({ type: 'runtimeLost', runtimeId: 'runtime-9' }).ignored).toBe(true);
    expect(given(answered).when(lost).ignored).toBe(true);
  });
});

describe('an answered customer whom no runtime takes [I9]', () => {
  const limit = after('offerLimit', 'open.live.offering');

  test('goes from one runtime to the next at once, never twice to the same, and round again after a breath', () => {
    const second = given(answered).when(declined(1));
    expect(second.value).toEqual(OFFERED);
    expect(second.effects).toEqual([offer(2, { tried: ['runtime-1'] })]);
    const nobodyLeft = given(answered, declined(1)).when(declined(2, null));
    expect(nobodyLeft).toMatchObject({ value: { open: { live: { offering: 'resting' } } }, effects: [] });
    const again = given(answered, declined(1), declined(2, null)).when(after('breath', 'open.live.offering.resting'));
    expect(again.effects).toEqual([offer(3)]);
  });

  test('waits no longer for those who decline or are silent: the limit counts from the answer', () => {
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

  test('is served when the first report of the runtime is faster than its answer', () => {
    const speaking = given(answered, { type: 'runtimeStarted', at: 1_100 });
    expect(speaking.when(taken).value).toEqual(SERVED);
    expect(given(answered, { type: 'runtimeStarted', at: 1_100 }, taken).state.context.owner).toBe('runtime-1');
  });

  test('who hangs up before the runtime has answered leaves it the result', () => {
    expect(given(answered, hungUp).when(taken)).toMatchObject({ value: 'settling', ignored: false });
  });

  test('who already hears the apology is taken by nobody', () => {
    expect(given(answered, limit).when(taken).ignored).toBe(true);
  });

  test('an answer to an older offer decides nothing', () => {
    const asking = given(answered, declined(1));
    expect(asking.when(taken).ignored).toBe(true);
    expect(asking.when({ type: 'runtimeRefused', epoch: 1 }).ignored).toBe(true);
    expect(asking.when({ type: 'runtimeAccepted', runtimeId: 'runtime-2', epoch: 2 }).value).toEqual(SERVED);
  });

  test('hears the apology at once when the offer is no call to any runtime', () => {
    expect(given(answered).when({ type: 'runtimeRefused', epoch: 1 }).value).toEqual({ open: { parting: 'apologising' } });
  });

  test('is offered again when nothing is heard of the offer', () => {
    const step = given(answered).when(after('reoffer', 'open.live.offering.asking'));
    expect(step.effects).toEqual([offer(2)]);
    expect(step.timers).toEqual({ reoffer: 1_500 });
  });

  test('a look at the switch does not put the limit off', () => {
    expect(given(answered).when({ type: 'channelSuspected' }).ignored).toBe(true);
  });

  test('hears an apology after 4 s, and the channel ends even when the apology does not', () => {
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
    ['by hanging up before it, without a result within the grace', []],
  ] as [string, CallEvent[]][])('costs the contact nothing: over %s', (_what, events) => {
    const over = given(answered, ...events).when(hungUp);
    const step = events.length > 0 ? over : given(answered, hungUp).when(after('resultGrace', 'settling'));
    expect(step.effects).toContainEqual({
      type: 'settleAttempt',
      params: expect.objectContaining({
        status: 'failed',
        cause: 'RUNTIME_UNAVAILABLE',
        by: 'system',
        isOurFault: true,
        // Only a runtime that had its time and did not come is at fault.
        isVoid: events.length === 0,
      }),
    });
  });

  test('a runtime that is late is told that the call is over', () => {
    expect(types(given(answered, limit, { type: 'runtimeStarted', at: 9_000 }).when(hungUp))).toContain('notifyHangup');
  });

  test('where the runtime finds its calls by itself nothing is offered', () => {
    const input = { dialTimeoutMs: 40_000, graceMs: 30_000, resultGraceMs: 60_000, runtimeTaken: true };
    const step = givenMachine<CallContext, CallEvent>(callMachine, input)().when(answered);
    expect(step.value).toEqual(SERVED);
    expect(types(step)).toEqual(['recordAnswered']);
  });
});

describe('a runtime that takes a call and is not heard [I9]', () => {
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

  test('is looked at 8 s after its taking, and the customer goes to another who begins the call', () => {
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

  test('a second one in the same call leaves the customer to the apology', () => {
    const second: CallEvent = { type: 'runtimeAccepted', runtimeId: 'runtime-2', epoch: 2 };
    const step = given(answered, taken, found(), second).when(found({ epoch: 2 }));
    expect([step.value, types(step)]).toEqual([{ open: { parting: 'apologising' } }, ['giveUpRuntime', 'apologise']]);
  });

  test.each([
    ['reports that it has started', started, ['noteSpoke']],
    ['has its first words come', found({ botMark: 'b' }), ['noteSpoke']],
  ])('and %s is believed, and looked at again', (_how, sign, effects) => {
    const step = given(answered, taken).when(sign);
    expect([types(step), step.timers]).toMatchObject([effects, { speechDue: 15_000 }]);
    expect(given(answered, taken, sign).when(found({ botMark: 'b' })).value).toEqual(SERVED);
  });

  test('that has the call from before the live state was lost has the time of a silence to go on, and one without captions is believed', () => {
    const restored: CallEvent = { type: 'answerRestored', at: 1_000 };
    const back: CallEvent = { type: 'channelFound', answeredAt: 1_000 };
    expect(given(restored, back).when(taken).timers).toMatchObject({ speechDue: 30_000 });
    expect(given(restored, back, taken).when(found({ botMark: 'b' })).value).toEqual(SERVED);
    const mute = given(restored, back, taken).when(found());
    expect(mute.effects).toContainEqual(offer(2, { isResuming: true, tried: ['runtime-1'] }));
    const older: CallEvent = { type: 'runtimeAccepted', runtimeId: null, epoch: 1 };
    expect(given(restored, back, older).when(found()).value).toEqual(SERVED);
  });

  test('and fell silent after the customer had spoken gives them to one that goes on', () => {
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
    ['words of anybody came between', [heCalls, found({ botMark: 'b', lastMark: 'd', isCustomers: true })]],
    ['the bot has the last word', [found({ botMark: 'b', lastMark: 'b' }), found({ botMark: 'b', lastMark: 'b' })]],
    ['the customer is being given to a person', [heCalls, { ...heCalls, isElsewhere: true } as CallEvent]],
  ])('is not silent while %s', (_how, looks) => {
    expect(given(answered, taken, started, ...looks).when(looks[1] as CallEvent).value).toEqual(SERVED);
  });

  test('a look at an older hand-over, and one after the end, decide nothing', () => {
    expect(given(answered, taken).when(found({ epoch: 9 })).ignored).toBe(true);
    expect(given(answered, taken, hungUp).when(due).ignored).toBe(true);
    expect(given(answered).when(due).ignored).toBe(true);
  });
});
