import { describe, expect, test } from '@jest/globals';
import type { CallContext } from '#actors/call/context.ts';
import { callStage } from '#actors/call/stage.ts';
import type { CallEvent } from '#actors/call/events.ts';
import { callMachine } from '#actors/call/machine.ts';
import { firstDecision } from '#platform/actor-host/machine-aggregate.ts';
import { callAggregate } from '#calls/call-actor.ts';
import { givenMachine } from '#test/support/machine-given.ts';
import { OFFERED, SERVED, after, answered, busy, given, hungUp, missing, offer, taken, types } from './call-given.ts';

describe('a call from its start to its end [A7]', () => {
  test('starts dialing with a timer and no effect', () => {
    const first = firstDecision<CallContext>(callMachine, { dialTimeoutMs: 40_000, graceMs: 30_000, resultGraceMs: 60_000 });
    expect(first.state.value).toEqual({ open: 'dialing' });
    expect(first.effects).toEqual([]);
    expect(Object.values(first.timers)).toEqual([40_000]);
  });

  test('rings, is answered and is offered to the runtime', () => {
    expect(given().when({ type: 'channelRinging' }).value).toEqual({ open: 'ringing' });
    const step = given({ type: 'channelRinging' }).when(answered);
    expect(step.value).toEqual(OFFERED);
    expect(step.effects).toEqual([{ type: 'recordAnswered', params: { answeredAt: 1_000 } }, offer(1)]);
    expect(step.timers).toEqual({ dialTimeout: null, offerLimit: 4_000, reoffer: 1_500 });
    const served = given(answered).when(taken);
    expect(served.value).toEqual(SERVED);
    expect(served.timers).toEqual({ offerLimit: null, reoffer: null, liveCheck: 60_000, speechDue: 8_000 });
  });

  test('a live call probes the switch once a minute, because nothing else checks a call whose attempt is closed', () => {
    const check = given(answered, taken).when(after('liveCheck', 'open.live.served'));
    expect(types(check)).toEqual(['probeSwitch']);
    const checking = given(answered, taken, after('liveCheck', 'open.live.served'));
    expect(checking.when({ type: 'channelFound', answeredAt: null })).toMatchObject({
      value: SERVED,
      timers: { liveCheck: 60_000 },
    });
    expect(checking.when(missing(1)).value).toBe('settling');
  });

  test('an answer before any progress counts, because events may arrive out of order [esl §3]', () => {
    expect(given().when(answered).value).toEqual(OFFERED);
    expect(given(answered).when({ type: 'channelRinging' }).ignored).toBe(true);
    expect(given(answered).when({ type: 'channelAnswered', at: 5_000 }).ignored).toBe(true);
  });

  test('an answered call that hangs up waits for its result and keeps its slot [D7.8]', () => {
    const step = given(answered, taken).when(hungUp);
    expect(step.value).toBe('settling');
    expect(step.effects).toEqual([
      { type: 'notifyHangup', params: { cause: 'NORMAL_CLEARING', by: 'customer' } },
      { type: 'toIntervention', params: { type: 'callLeft', at: 9_000 } },
    ]);
    expect(step.timers).toEqual({ liveCheck: null, speechDue: null, resultGrace: 60_000 });
  });

  test('a closed call releases its slot, then notifies its campaign [A1.9]', () => {
    const ofCampaign = givenMachine<CallContext, CallEvent>(callMachine, {
      dialTimeoutMs: 40_000,
      graceMs: 30_000,
      resultGraceMs: 60_000,
      campaignId: 7,
    });
    const step = ofCampaign(answered, hungUp).when({ type: 'resultReported' });
    expect(step.effects).toEqual([
      { type: 'releaseSlot', params: null },
      { type: 'sendTo', params: { to: { type: 'campaign', id: '7' }, event: { type: 'callSettled' } } },
    ]);
  });

  test('the result releases the slot and starts the retention of 60 s [D9.2]', () => {
    const step = given(answered, hungUp).when({ type: 'resultReported' });
    expect(step.value).toEqual({ ended: 'closed' });
    expect(types(step)).toEqual(['releaseSlot']);
    expect(step.timers).toEqual({ resultGrace: null, retention: 60_000 });
  });

  test('an answered call without a result within the grace completes with the known facts and releases its slot [D7.8]', () => {
    const step = given(answered, taken, hungUp).when(after('resultGrace', 'settling'));
    expect(step.value).toEqual({ ended: 'closed' });
    expect(step.effects).toMatchObject([
      { type: 'settleAttempt', params: { status: 'completed', callStatus: 'completed', cause: 'NORMAL_CLEARING', answeredAt: 1_000 } },
      { type: 'releaseSlot' },
    ]);
  });

  test("an unanswered call ends with the switch's cause as its result [D7.1]", () => {
    const step = given({ type: 'dialAccepted' }, { type: 'channelRinging' }).when(busy);
    expect(step.value).toEqual({ ended: 'closed' });
    expect(step.effects).toMatchObject([
      { type: 'settleAttempt', params: { status: 'failed', callStatus: 'busy', cause: 'USER_BUSY' } },
      { type: 'releaseSlot' },
    ]);
  });

  test('a hang-up that reports a missed answer still awaits the result', () => {
    expect(given({ type: 'dialAccepted' }).when(hungUp).value).toBe('settling');
  });

  test('a refused dial fails without a channel', () => {
    const step = given().when({
      type: 'dialRefused',
      callStatus: 'failed',
      isOurFault: true,
      cause: 'DESTINATION_OUT_OF_ORDER',
      replyText: '-ERR DESTINATION_OUT_OF_ORDER',
    });
    expect(step.effects).toMatchObject([
      { type: 'settleAttempt', params: { status: 'failed', replyText: '-ERR DESTINATION_OUT_OF_ORDER' } },
      { type: 'releaseSlot' },
    ]);
  });

  test('a dial that was certainly not sent gives its contact back [A6 step 6]', () => {
    expect(types(given().when({ type: 'dialNotSent', reason: 'deadline' }))).toEqual(['revertClaim', 'releaseSlot']);
  });

  test('a dial that was not sent gives its contact back even if the call was under suspicion meanwhile [A6 step 6]', () => {
    const doubted = given({ type: 'channelSuspected' });
    expect(types(doubted.when({ type: 'dialNotSent', reason: 'deadline' }))).toEqual(['revertClaim', 'releaseSlot']);
    const absent = given({ type: 'channelSuspected' }, missing(0));
    expect(types(absent.when({ type: 'dialNotSent', reason: 'deadline' }))).toEqual(['revertClaim', 'releaseSlot']);
  });

  test('the actor is deleted after the retention', () => {
    expect(types(given(busy).when(after('retention', 'ended.closed')))).toEqual(['forgetCall']);
  });
});

describe('while the outcome is unknown the switch is probed, and "unknown" never releases the slot [A6 steps 5–6]', () => {
  test.each<[string, CallEvent]>([
    ['a lost reply', { type: 'dialUnknown' }],
    ['the dial time-out', after('dialTimeout', 'open.dialing')],
    ['a channel that the switch does not list', { type: 'channelSuspected' }],
    ['a runtime that reports the end', { type: 'runtimeEnded' }],
  ])('%s leads to a probe', (_, event) => {
    const step = given().when(event);
    expect(step.value).toEqual({ open: { verifying: 'probing' } });
    expect(types(step)).toEqual(['probeSwitch']);
  });

  test('an unanswered probe is repeated and releases nothing', () => {
    const step = given({ type: 'dialUnknown' }).when(after('reprobe', 'open.verifying.probing'));
    expect(types(step)).toEqual(['probeSwitch']);
    expect(step.timers).toEqual({ reprobe: 5_000 });
  });

  test('a found channel returns the call to its earlier state', () => {
    expect(given({ type: 'dialUnknown' }).when({ type: 'channelFound', answeredAt: null }).value).toEqual({ open: 'dialing' });
    expect(given({ type: 'channelRinging' }, { type: 'channelSuspected' }).when({ type: 'channelFound', answeredAt: null }).value).toEqual({
      open: 'ringing',
    });
    expect(given(answered, taken, { type: 'channelSuspected' }).when({ type: 'channelFound', answeredAt: 1_000 }).value).toEqual(SERVED);
  });

  test('a channel that was never seen must stay absent for the grace period before the dial counts as lost', () => {
    const waiting = given({ type: 'dialUnknown' }).when(missing(0));
    expect(waiting.value).toEqual({ open: { verifying: 'waiting' } });
    expect(waiting.effects).toEqual([]);
    expect(waiting.timers).toEqual({ reprobe: null, grace: 30_000 });
    const waited = given({ type: 'dialUnknown' }, missing(0)).when(after('grace', 'open.verifying.waiting'));
    expect(types(waited)).toEqual(['probeSwitch']);
    const lost = given({ type: 'dialUnknown' }, missing(0), after('grace', 'open.verifying.waiting')).when(missing(0));
    expect(lost.effects).toMatchObject([{ type: 'settleAttempt', params: { status: 'outcome_unknown' } }, { type: 'releaseSlot' }]);
  });

  test('a channel that was seen and vanished unanswered counts as lost at once', () => {
    const step = given({ type: 'dialAccepted' }, { type: 'channelSuspected' }).when(missing(1));
    expect(step.effects).toMatchObject([{ type: 'settleAttempt', params: { status: 'outcome_unknown' } }, { type: 'releaseSlot' }]);
  });

  test('an absence found before the channel was seen proves nothing: the slot is kept [I1]', () => {
    const seen = given({ type: 'dialUnknown' }, { type: 'channelCreated' });
    expect(seen.when(missing(0))).toMatchObject({ value: { open: { verifying: 'probing' } }, effects: [] });
    const again = given({ type: 'dialUnknown' }, { type: 'channelCreated' }).when(after('reprobe', 'open.verifying.probing'));
    expect(again.effects).toEqual([{ type: 'probeSwitch', params: { sightings: 1 } }]);
    const found = given({ type: 'dialUnknown' }, { type: 'channelFound', answeredAt: null }, { type: 'channelSuspected' });
    expect(found.when(missing(0)).effects).toEqual([]);
    const closing = given({ type: 'dialUnknown' }, answered, { type: 'resultReported' });
    expect(closing.when(missing(0))).toMatchObject({ value: { ended: { closing: 'waiting' } }, effects: [] });
  });

  test('an answered channel that has vanished still awaits its result', () => {
    expect(given(answered, taken, { type: 'channelSuspected' }).when(missing(1)).value).toBe('settling');
  });

  test('a late refusal ends the uncertainty', () => {
    const step = given({ type: 'dialUnknown' }).when({
      type: 'dialRefused',
      callStatus: 'failed',
      isOurFault: true,
      cause: 'GATEWAY_DOWN',
      replyText: '-ERR GATEWAY_DOWN',
    });
    expect(types(step)).toEqual(['settleAttempt', 'releaseSlot']);
  });
});

describe('an answer whose event was missed [I9]', () => {
  const found: CallEvent = { type: 'channelFound', answeredAt: 1_500 };

  test.each([
    ['the connection was lost while it rang', [{ type: 'channelRinging' }, { type: 'channelSuspected' }]],
    ['none of its events had arrived', [{ type: 'dialUnknown' }]],
  ] as [string, CallEvent[]][])('is found with its true time by probing the channel: %s', (_what, events) => {
    const step = given(...events).when(found);
    expect(step.value).toEqual(OFFERED);
    expect(step.effects).toEqual([{ type: 'recordAnswered', params: { answeredAt: 1_500 } }, offer(1)]);
  });

  test('from before a loss of the live state leads to an offer once the switch confirms the channel', () => {
    const restored = given({ type: 'answerRestored', at: 1_200, heardRuntime: null, unheardMs: 300 });
    expect(callStage(restored.state)).toBe('live');
    expect(restored.when(found).effects).toEqual([offer(1, { isRestored: true })]);
    expect(restored.when(missing(1)).value).toBe('settling');
  });

  test('is reported by the hang-up event alone', () => {
    expect(given({ type: 'channelRinging' }).when(hungUp).value).toBe('settling');
  });
});

describe('a result before the channel is known to have ended [I1]', () => {
  test('keeps the slot until the hang-up', () => {
    const step = given(answered).when({ type: 'resultReported' });
    expect(step.value).toEqual({ ended: { closing: 'waiting' } });
    // A customer still on the line would hear only silence.
    expect(step.effects).toEqual([
      { type: 'killChannel', params: { cause: 'NORMAL_CLEARING' } },
      { type: 'toIntervention', params: { type: 'callLeft', at: null } },
    ]);
    expect(types(given(answered, { type: 'resultReported' }).when(hungUp))).toEqual(['releaseSlot']);
  });

  test('probes the switch every 3 s without a hang-up event, and releases the slot when the channel is gone', () => {
    const asked = given(answered, { type: 'resultReported' }).when(after('closeCheck', 'ended.closing.waiting'));
    expect(types(asked)).toEqual(['probeSwitch']);
    const still = given(answered, { type: 'resultReported' }, after('closeCheck', 'ended.closing.waiting')).when({
      type: 'channelFound',
      answeredAt: null,
    });
    expect(still.value).toEqual({ ended: { closing: 'waiting' } });
    const gone = given(answered, { type: 'resultReported' }, after('closeCheck', 'ended.closing.waiting')).when(missing(1));
    expect(types(gone)).toEqual(['releaseSlot']);
  });

  test('records the end of a call that went on after its result: the retry delay counts from there [D5.5]', () => {
    const reported: CallEvent = { type: 'resultReported', at: 3_000 };
    const ended = given(answered, reported).when({ ...hungUp, at: 5_001 } as CallEvent);
    expect(ended.value).toEqual({ ended: 'closed' });
    expect(ended.effects).toEqual([
      { type: 'recordEnd', params: { endedAt: 5_001 } },
      { type: 'releaseSlot', params: null },
    ]);
    expect(types(given(answered, reported).when({ ...hungUp, at: 5_000 } as CallEvent))).toEqual(['releaseSlot']);
  });

  test('hangs up a channel that outlives its result by 60 s', () => {
    expect(types(given(answered, { type: 'resultReported' }).when(after('zombie', 'ended.closing')))).toEqual(['killChannel']);
  });
});

test.each([
  ['the switch reports its own hang-up', { ...hungUp, by: 'system' } as CallEvent, { cause: 'NORMAL_CLEARING', by: 'bot' }],
  ['the customer hung up first', hungUp, { cause: 'NORMAL_CLEARING', by: 'customer' }],
  ['the hang-up event was missed', missing(1), { cause: 'NORMAL_CLEARING', by: 'bot' }],
])('after the runtime asked to hang up, the hangup message names who hung up: %s [A4]', (_what, over, told) => {
  const asked: CallEvent = { type: 'hangupRequested', cause: 'NORMAL_CLEARING', by: 'bot' };
  const before =
    over.type === 'channelMissing' ? given(answered, taken, asked, { type: 'channelSuspected' }) : given(answered, taken, asked);
  expect(before.when(over).effects).toContainEqual({ type: 'notifyHangup', params: told });
});

describe('reports of the runtime', () => {
  const started: CallEvent = { type: 'runtimeStarted', at: 1_200 };

  test('a start proves a missed answer, and the runtime is not started twice', () => {
    const step = given().when(started);
    expect(step.value).toEqual(SERVED);
    expect(step.effects).toEqual([
      { type: 'noteSpoke', params: { runtimeId: null } },
      { type: 'recordAnswered', params: { answeredAt: 1_200 } },
    ]);
  });

  test('a repeated start or end changes nothing [D9.1]', () => {
    expect(given(answered).when(started).ignored).toBe(false);
    expect(given(answered, started).when(started).ignored).toBe(true);
    expect(given(answered, { type: 'runtimeEnded' }).when({ type: 'runtimeEnded' }).ignored).toBe(true);
    expect(given(answered, hungUp, started).when(started).ignored).toBe(true);
  });
});

describe('commands and ended calls', () => {
  test('a hang-up command goes to the switch, and the call stays open until the switch confirms', () => {
    const step = given(answered).when({ type: 'hangupRequested', cause: 'NORMAL_CLEARING' });
    expect(step.effects).toEqual([{ type: 'killChannel', params: { cause: 'NORMAL_CLEARING' } }]);
    expect(step.value).toEqual(OFFERED);
  });

  test.each<CallEvent>([{ type: 'channelCreated' }, { type: 'channelRinging' }, answered])(
    'a channel that appears after the end is hung up: %o [A6 step 6]',
    event => {
      expect(types(given({ type: 'dialNotSent', reason: 'deadline' }).when(event))).toEqual(['killChannel']);
    },
  );

  test('events after the end change nothing', () => {
    for (const event of [busy, hungUp, { type: 'resultReported' }, missing(0), { type: 'dialAccepted' }] as CallEvent[]) {
      expect(given(busy).when(event).ignored).toBe(true);
    }
  });
});

describe('subscribers see a stage, never the uncertainty [D9.2]', () => {
  test.each<[CallEvent[], string]>([
    [[], 'dialing'],
    [[{ type: 'channelRinging' }], 'ringing'],
    [[answered], 'live'],
    [[answered, { type: 'channelSuspected' }], 'live'],
    [[answered, hungUp], 'settling'],
    [[busy], 'ended'],
  ])('%j shows %s', (events, stage) => {
    const { state } = given(...events);
    expect(callStage(state)).toBe(stage);
  });
});

test('a snapshot of version 1 can be loaded and continued', () => {
  const aggregate = callAggregate();
  const stored =
    '{"v":1,"value":{"open":"live"},"context":{"dialTimeoutMs":40000,"graceMs":30000,"resultGraceMs":60000,"channelSeen":true,"channelGone":false,"ringing":true,"answeredAt":1000,"endedAt":null,"hangupCause":null,"hangupBy":null}}';
  const decision = aggregate.decide(aggregate.parse(stored), hungUp);
  expect(decision?.state.value).toBe('settling');
});
