import { describe, expect, test } from '@jest/globals';
import type { CallContext } from '#actors/call/context.ts';
import { callStage } from '#actors/call/stage.ts';
import type { CallEvent } from '#actors/call/events.ts';
import { callMachine } from '#actors/call/machine.ts';
import { firstDecision } from '#host/machine-aggregate.ts';
import { callAggregate } from '#operations/calls/call-aggregate.ts';
import { givenMachine } from '#test/support/machine-given.ts';
import { OFFERED, SERVED, after, answered, busy, given, hungUp, missing, offer, taken, types } from './call-given.ts';

describe('a call from the send to the end [A7]', () => {
  test('starts dialing with a timer and no effect', () => {
    const first = firstDecision<CallContext>(callMachine, { dialTimeoutMs: 40_000, graceMs: 30_000, resultGraceMs: 60_000 });
    expect(first.state.value).toEqual({ open: 'dialing' });
    expect(first.effects).toEqual([]);
    expect(Object.values(first.timers)).toEqual([40_000]);
  });

  test('rings, is answered, is offered to the runtime', () => {
    expect(given().when({ type: 'channelRinging' }).value).toEqual({ open: 'ringing' });
    const step = given({ type: 'channelRinging' }).when(answered);
    expect(step.value).toEqual(OFFERED);
    expect(step.effects).toEqual([{ type: 'recordAnswered', params: { answeredAt: 1_000 } }, offer(1)]);
    expect(step.timers).toEqual({ dialTimeout: null, offerLimit: 4_000, reoffer: 1_500 });
    const served = given(answered).when(taken);
    expect(served.value).toEqual(SERVED);
    expect(served.timers).toEqual({ offerLimit: null, reoffer: null, liveCheck: 60_000, speechDue: 8_000 });
  });

  test('a live call asks the switch once a minute: nobody else looks at one whose attempt is closed', () => {
    const check = given(answered, taken).when(after('liveCheck', 'open.live.served'));
    expect(types(check)).toEqual(['probeSwitch']);
    const checking = given(answered, taken, after('liveCheck', 'open.live.served'));
    expect(checking.when({ type: 'channelFound', answeredAt: null })).toMatchObject({
      value: SERVED,
      timers: { liveCheck: 60_000 },
    });
    expect(checking.when(missing(1)).value).toBe('settling');
  });

  test('an answer before any progress counts: events arrive swapped [esl §3]', () => {
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

  test('closed, it lets its campaign know after the slot was released [A1.9]', () => {
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

  test('the result frees the slot and starts the retention of 60 s [D9.2]', () => {
    const step = given(answered, hungUp).when({ type: 'resultReported' });
    expect(step.value).toEqual({ ended: 'closed' });
    expect(types(step)).toEqual(['releaseSlot']);
    expect(step.timers).toEqual({ resultGrace: null, retention: 60_000 });
  });

  test('answered, over, and no result within the grace: complete as far as it is known, slot freed [D7.8]', () => {
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

  test('a hang-up that tells of an answer nobody reported still awaits the result', () => {
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

  test('a dial that certainly never left gives its contact back [A6 step 6]', () => {
    expect(types(given().when({ type: 'dialNotSent', reason: 'deadline' }))).toEqual(['revertClaim', 'releaseSlot']);
  });

  test('so it does when somebody has come to doubt it meanwhile: its sender stood still [A6 step 6]', () => {
    const doubted = given({ type: 'channelSuspected' });
    expect(types(doubted.when({ type: 'dialNotSent', reason: 'deadline' }))).toEqual(['revertClaim', 'releaseSlot']);
    const absent = given({ type: 'channelSuspected' }, missing(0));
    expect(types(absent.when({ type: 'dialNotSent', reason: 'deadline' }))).toEqual(['revertClaim', 'releaseSlot']);
  });

  test('the retention ends with the actor forgotten', () => {
    expect(types(given(busy).when(after('retention', 'ended.closed')))).toEqual(['forgetCall']);
  });
});

describe('nobody knows: the switch is asked, and "unknown" never releases [A6 steps 5–6]', () => {
  test.each<[string, CallEvent]>([
    ['a lost reply', { type: 'dialUnknown' }],
    ['the dial time-out', after('dialTimeout', 'open.dialing')],
    ['a channel that the switch does not list', { type: 'channelSuspected' }],
    ['a runtime that says ended', { type: 'runtimeEnded' }],
  ])('%s leads to a probe', (_, event) => {
    const step = given().when(event);
    expect(step.value).toEqual({ open: { verifying: 'probing' } });
    expect(types(step)).toEqual(['probeSwitch']);
  });

  test('an unanswered probe is repeated, nothing is released', () => {
    const step = given({ type: 'dialUnknown' }).when(after('reprobe', 'open.verifying.probing'));
    expect(types(step)).toEqual(['probeSwitch']);
    expect(step.timers).toEqual({ reprobe: 5_000 });
  });

  test('a found channel leads back to where the call stood', () => {
    expect(given({ type: 'dialUnknown' }).when({ type: 'channelFound', answeredAt: null }).value).toEqual({ open: 'dialing' });
    expect(given({ type: 'channelRinging' }, { type: 'channelSuspected' }).when({ type: 'channelFound', answeredAt: null }).value).toEqual({
      open: 'ringing',
    });
    expect(given(answered, taken, { type: 'channelSuspected' }).when({ type: 'channelFound', answeredAt: 1_000 }).value).toEqual(SERVED);
  });

  test('a channel that nobody has seen must stay absent for the grace time before the dial counts as lost', () => {
    const waiting = given({ type: 'dialUnknown' }).when(missing(0));
    expect(waiting.value).toEqual({ open: { verifying: 'waiting' } });
    expect(waiting.effects).toEqual([]);
    expect(waiting.timers).toEqual({ reprobe: null, grace: 30_000 });
    const waited = given({ type: 'dialUnknown' }, missing(0)).when(after('grace', 'open.verifying.waiting'));
    expect(types(waited)).toEqual(['probeSwitch']);
    const lost = given({ type: 'dialUnknown' }, missing(0), after('grace', 'open.verifying.waiting')).when(missing(0));
    expect(lost.effects).toMatchObject([{ type: 'settleAttempt', params: { status: 'outcome_unknown' } }, { type: 'releaseSlot' }]);
  });

  test('a channel that was seen and is gone unanswered is lost at once', () => {
    const step = given({ type: 'dialAccepted' }, { type: 'channelSuspected' }).when(missing(1));
    expect(step.effects).toMatchObject([{ type: 'settleAttempt', params: { status: 'outcome_unknown' } }, { type: 'releaseSlot' }]);
  });

  test('an absence that the switch told before the channel was seen proves nothing: the slot is kept [I1]', () => {
    const seen = given({ type: 'dialUnknown' }, { type: 'channelCreated' });
    expect(seen.when(missing(0))).toMatchObject({ value: { open: { verifying: 'probing' } }, effects: [] });
    const again = given({ type: 'dialUnknown' }, { type: 'channelCreated' }).when(after('reprobe', 'open.verifying.probing'));
    expect(again.effects).toEqual([{ type: 'probeSwitch', params: { sightings: 1 } }]);
    const found = given({ type: 'dialUnknown' }, { type: 'channelFound', answeredAt: null }, { type: 'channelSuspected' });
    expect(found.when(missing(0)).effects).toEqual([]);
    const closing = given({ type: 'dialUnknown' }, answered, { type: 'resultReported' });
    expect(closing.when(missing(0))).toMatchObject({ value: { ended: { closing: 'waiting' } }, effects: [] });
  });

  test('an answered channel that is gone still awaits its result', () => {
    expect(given(answered, taken, { type: 'channelSuspected' }).when(missing(1)).value).toBe('settling');
  });

  test('a late refusal ends the doubt', () => {
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

describe('an answer that nobody heard [I9]', () => {
  const found: CallEvent = { type: 'channelFound', answeredAt: 1_500 };

  test.each([
    ['after a cut while it rang', [{ type: 'channelRinging' }, { type: 'channelSuspected' }]],
    ['before any event of it came', [{ type: 'dialUnknown' }]],
  ] as [string, CallEvent[]][])('the state of the channel makes the call live with its true time: %s', (_what, events) => {
    const step = given(...events).when(found);
    expect(step.value).toEqual(OFFERED);
    expect(step.effects).toEqual([{ type: 'recordAnswered', params: { answeredAt: 1_500 } }, offer(1)]);
  });

  test('a call that was answered before the live state was lost is offered once the switch says that it stands', () => {
    const restored = given({ type: 'answerRestored', at: 1_200 });
    expect(callStage(restored.state)).toBe('live');
    expect(restored.when(found).effects).toEqual([offer(1, { isRestored: true })]);
    expect(restored.when(missing(1)).value).toBe('settling');
  });

  test('the hang-up alone tells of the answer too', () => {
    expect(given({ type: 'channelRinging' }).when(hungUp).value).toBe('settling');
  });
});

describe('the result comes before the channel is known to be gone [I1]', () => {
  test('the slot stays held until the hang-up', () => {
    const step = given(answered).when({ type: 'resultReported' });
    expect(step.value).toEqual({ ended: { closing: 'waiting' } });
    // A customer who is still there would hear nobody.
    expect(step.effects).toEqual([
      { type: 'killChannel', params: { cause: 'NORMAL_CLEARING' } },
      { type: 'toIntervention', params: { type: 'callLeft', at: null } },
    ]);
    expect(types(given(answered, { type: 'resultReported' }).when(hungUp))).toEqual(['releaseSlot']);
  });

  test('without a hang-up the switch is asked every 3 s and its word frees the slot', () => {
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

  test('the end of a call that went on after its result is recorded: the retry counts from there [D5.5]', () => {
    const reported: CallEvent = { type: 'resultReported', at: 3_000 };
    const ended = given(answered, reported).when({ ...hungUp, at: 5_001 } as CallEvent);
    expect(ended.value).toEqual({ ended: 'closed' });
    expect(ended.effects).toEqual([
      { type: 'recordEnd', params: { endedAt: 5_001 } },
      { type: 'releaseSlot', params: null },
    ]);
    expect(types(given(answered, reported).when({ ...hungUp, at: 5_000 } as CallEvent))).toEqual(['releaseSlot']);
  });

  test('a channel that outlives its result by 60 s is ended', () => {
    expect(types(given(answered, { type: 'resultReported' }).when(after('zombie', 'ended.closing')))).toEqual(['killChannel']);
  });
});

test.each([
  ['the switch tells it as its own', { ...hungUp, by: 'system' } as CallEvent, { cause: 'NORMAL_CLEARING', by: 'bot' }],
  ['the customer was faster', hungUp, { cause: 'NORMAL_CLEARING', by: 'customer' }],
  ['no event told it', missing(1), { cause: 'NORMAL_CLEARING', by: 'bot' }],
])("after the runtime's own goodbye, hangup says who has hung up: %s [A4]", (_what, over, told) => {
  const asked: CallEvent = { type: 'hangupRequested', cause: 'NORMAL_CLEARING', by: 'bot' };
  const before =
    over.type === 'channelMissing' ? given(answered, taken, asked, { type: 'channelSuspected' }) : given(answered, taken, asked);
  expect(before.when(over).effects).toContainEqual({ type: 'notifyHangup', params: told });
});

describe('what the runtime reports', () => {
  const started: CallEvent = { type: 'runtimeStarted', at: 1_200 };

  test('a start proves the answer that no event told; the runtime is not started twice', () => {
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

describe('orders and tombstones', () => {
  test('a hang-up order goes to the switch and the call stays until the switch says so', () => {
    const step = given(answered).when({ type: 'hangupRequested', cause: 'NORMAL_CLEARING' });
    expect(step.effects).toEqual([{ type: 'killChannel', params: { cause: 'NORMAL_CLEARING' } }]);
    expect(step.value).toEqual(OFFERED);
  });

  test.each<CallEvent>([{ type: 'channelCreated' }, { type: 'channelRinging' }, answered])(
    'a channel that comes up after the end is killed: %o [A6 step 6]',
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

describe('watchers see a stage, not the doubt [D9.2]', () => {
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

test('a snapshot of version 1 loads and goes on', () => {
  const aggregate = callAggregate();
  const stored =
    '{"v":1,"value":{"open":"live"},"context":{"dialTimeoutMs":40000,"graceMs":30000,"resultGraceMs":60000,"channelSeen":true,"channelGone":false,"ringing":true,"answeredAt":1000,"endedAt":null,"hangupCause":null,"hangupBy":null}}';
  const decision = aggregate.decide(aggregate.parse(stored), hungUp);
  expect(decision?.state.value).toBe('settling');
});
