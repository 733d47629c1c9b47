import { describe, expect, test } from '@jest/globals';
import { callMachine } from '#actors/call/machine.ts';
import type { CallContext } from '#actors/call/context.ts';
import { firstDecision } from '#platform/actor-host/machine-aggregate.ts';
import { type CallActorEvent, callAggregate, type CallState } from '#calls/call-actor.ts';
import { answered, hungUp } from '../actors/call-given.ts';

const aggregate = callAggregate();
const WAITS = { dialTimeoutMs: 40_000, graceMs: 30_000, resultGraceMs: 60_000 };
const ANNA = 7;

const watchedBy = (userId: number, fence = 1): CallActorEvent => ({
  type: 'watchChanged',
  watch: { fence, monitor: { userId, agentId: 12, displayName: '安娜', assignedAt: 1_500 }, retainedBy: [], waitingSince: null },
});
const claimed = (userId = ANNA, isSupervisor = false): CallActorEvent => ({
  type: 'interventionClaimed',
  id: 'iv-1',
  userId,
  agentId: 12,
  isSupervisor,
  at: 2_000,
});

/** Applies events; the state passes through its stored text each time, as in the host. */
function after(state: CallState, ...events: CallActorEvent[]): CallState {
  return events.reduce((now, event) => {
    const stored = aggregate.parse(aggregate.serialize(now));
    return aggregate.decide(stored, event)?.state ?? stored;
  }, state);
}

const opened = (isMonitored = true): CallState => firstDecision<CallContext>(callMachine, { ...WAITS, isMonitored }).state;
const effectsOf = (state: CallState, event: CallActorEvent) => (aggregate.decide(state, event)?.effects ?? []).map(({ type }) => type);

describe('call and intervention are one aggregate [A3]', () => {
  test('only a live call can be claimed, by its monitor or by a supervisor [D9.3]', () => {
    expect(aggregate.decide(opened(), claimed(ANNA, true))).toBe(null);
    const live = after(opened(), answered, watchedBy(ANNA));
    expect(after(live, claimed()).intervention?.value).toBe('requested');
    expect(aggregate.decide(live, claimed(99))).toBe(null);
    expect(after(live, claimed(99, true)).intervention?.value).toBe('requested');
    expect(aggregate.decide(after(live, hungUp), claimed(ANNA, true))).toBe(null);
  });

  test('the hang-up closes the intervention in the same commit', () => {
    const asked = after(opened(), answered, watchedBy(ANNA), claimed());
    const decision = aggregate.decide(asked, hungUp);
    expect(decision?.state).toMatchObject({ value: 'settling', intervention: { value: 'ended', context: { outcome: 'expired' } } });
    expect(decision?.effects.map(({ type }) => type)).toEqual([
      'notifyHangup',
      'freeMonitor',
      'sendTo',
      'notifyIntervention',
      'withdrawCall',
    ]);
    expect(Object.entries(decision?.timers ?? {})).toContainEqual(['xstate.after.expiry.intervention.requested', null]);
  });

  test('an event that the intervention ignores changes nothing', () => {
    const asked = after(opened(), answered, claimed(ANNA, true));
    expect(aggregate.decide(asked, { type: 'interventionConsumed', id: 'iv-0', at: 3_000 })).toBe(null);
    expect(aggregate.decide(asked, { type: 'interventionCancelled', userId: 99, at: 3_000 })).toBe(null);
  });

  test('a customer who talks to an agent needs no runtime, and is not hung up with its result [D9.3]', () => {
    const joined: CallActorEvent = { type: 'interventionNoticed', id: 'iv-1', status: 'active', agentId: 12, reason: null, at: 3_000 };
    const served = after(opened(), answered, { type: 'runtimeAccepted', runtimeId: 'rt-1', epoch: 1 }, claimed(ANNA, true));
    const withPerson = after(served, joined);
    const lost: CallActorEvent = { type: 'runtimeLost', runtimeId: 'rt-1' };
    expect([effectsOf(served, lost), aggregate.decide(withPerson, lost)]).toEqual([['noteUnheard', 'startRuntime'], null]);
    expect(effectsOf(served, { type: 'resultReported' })).toContain('killChannel');
    expect(effectsOf(withPerson, { type: 'resultReported' })).not.toContain('killChannel');
    const back = after(withPerson, { ...joined, status: 'ended' });
    expect(effectsOf(back, lost)).toEqual(['noteUnheard', 'startRuntime']);
  });

  test('a snapshot written before `isWithPerson` was stored is understood', () => {
    const joined: CallActorEvent = { type: 'interventionNoticed', id: 'iv-1', status: 'active', agentId: 12, reason: null, at: 3_000 };
    const state = after(opened(), answered, { type: 'runtimeAccepted', runtimeId: 'rt-1', epoch: 1 }, claimed(ANNA, true), joined);
    const old = aggregate.serialize(state).replace('"isWithPerson":true', '"runtimeEnded":false');
    expect(aggregate.decide(aggregate.parse(old), { type: 'runtimeLost', runtimeId: 'rt-1' })).toBe(null);
  });

  test('notices of the runtime after the call change nothing', () => {
    const over = after(opened(), answered, watchedBy(ANNA), claimed(), hungUp);
    const late: CallActorEvent = { type: 'interventionNoticed', id: 'iv-1', status: 'active', agentId: 1, reason: null, at: 10_000 };
    expect(aggregate.decide(over, late)).toBe(null);
  });

  test('the timer of a request reaches the intervention', () => {
    const asked = after(opened(), answered, claimed(ANNA, true));
    const timer = { type: 'xstate.after.expiry.intervention.requested' } as unknown as CallActorEvent;
    expect(after(asked, timer).intervention).toMatchObject({ value: 'ended', context: { outcome: 'expired' } });
  });

  test('a monitored call is offered to monitors while it is live, an unmonitored one never', () => {
    expect(effectsOf(opened(), answered)).toContain('offerCall');
    expect(effectsOf(after(opened(), answered), hungUp)).toContain('withdrawCall');
    expect(effectsOf(opened(false), answered)).not.toContain('offerCall');
    expect(effectsOf(after(opened(false), answered), hungUp)).not.toContain('withdrawCall');
    expect(effectsOf(opened(), { type: 'runtimeStarted', at: 1_000 })).toContain('offerCall');
  });

  test('a call assigned after its end is withdrawn again', () => {
    const over = after(opened(), answered, hungUp);
    expect(effectsOf(over, watchedBy(ANNA))).toEqual(['withdrawCall']);
    expect(effectsOf(after(opened(), answered), watchedBy(ANNA))).toEqual([]);
  });

  test('an older update of the monitor registry is ignored', () => {
    const state = after(opened(), answered, watchedBy(ANNA, 5));
    expect(aggregate.decide(state, watchedBy(8, 5))).toBe(null);
    expect(after(state, watchedBy(8, 6)).context.watch?.monitor?.userId).toBe(8);
  });

  test('a keyword in a caption counts once [OCS 4.12 rule 2]', () => {
    const heard: CallActorEvent = { type: 'intentHeard', hits: [{ keyword: '投诉', segmentId: 's1', at: 3_000 }] };
    const state = after(opened(), answered);
    expect(effectsOf(state, heard)).toEqual(['notifyIntent']);
    expect(aggregate.decide(after(state, heard), heard)).toBe(null);
    expect(after(state, heard).context.intentHits).toEqual([{ keyword: '投诉', segmentId: 's1', at: 3_000 }]);
  });

  test.each([
    ['transferring', 'transferring', null],
    ['active', 'active', null],
    ['cancelled', 'ended', 'cancelled'],
  ])('a take-over of version 3 that is %s keeps its state', (value, place, outcome) => {
    const { context, ...state } = after(opened(), answered, claimed(ANNA, true));
    const before = { ...state.intervention?.context, outcome: undefined };
    const stored = JSON.stringify({ v: 3, ...state, context, intervention: { value, context: before } });
    expect(aggregate.parse(stored).intervention).toMatchObject({ value: place, context: { id: 'iv-1', outcome } });
    const unclaimed = JSON.stringify({ v: 3, ...state, context, intervention: { value: 'idle', context: before } });
    expect(aggregate.parse(unclaimed).intervention).toBeUndefined();
  });

  test.each([
    ['requested', 'requested', null],
    [{ joining: 'dialing' }, 'transferring', null],
    ['active', 'active', null],
    ['ended', 'ended', 'failed'],
  ])('a take-over of version 4 in state %j keeps its state and goes on', (value, place, outcome) => {
    const { context, ...state } = after(opened(), answered, claimed(ANNA, true));
    const stored = JSON.stringify({
      v: 4,
      ...state,
      context,
      intervention: { value, context: { ...state.intervention?.context, outcome } },
    });
    const read = aggregate.parse(stored);
    expect(read.intervention).toMatchObject({ value: place, context: { id: 'iv-1', outcome } });
    const ended = aggregate.decide(read, hungUp)?.state.intervention ?? read.intervention;
    expect(ended?.value).toBe('ended');
    expect(JSON.parse(aggregate.serialize(read))).toMatchObject({ v: 5, intervention: { value: place } });
  });

  test('a snapshot of version 1, from before interventions existed, can be claimed', () => {
    const stored =
      '{"v":1,"value":{"open":"live"},"context":{"dialTimeoutMs":40000,"graceMs":30000,"resultGraceMs":60000,"channelSeen":true,"channelGone":false,"ringing":true,"answeredAt":1000,"endedAt":null,"hangupCause":null,"hangupBy":null}}';
    const claim = aggregate.decide(aggregate.parse(stored), claimed(ANNA, true));
    expect(claim?.state.intervention?.value).toBe('requested');
    expect(() => aggregate.parse('{"v":9}')).toThrow('unknown version 9');
  });
});

describe('what people tell the bot stands in the call [D9.8]', () => {
  const guided = (guidanceId: string): CallActorEvent => ({
    type: 'guided',
    guidance: { guidanceId, kind: 'hint', text: '先说优惠', userId: ANNA, by: '安娜', at: 3_000 },
  });

  test('once for each id, and the newest ten of them', () => {
    const told = after(opened(), answered, guided('g-0'), guided('g-0'));
    expect(told.context.guidance?.map(({ guidanceId }) => guidanceId)).toEqual(['g-0']);
    const ids = Array.from({ length: 11 }, (_, index) => `g-${index}`);
    expect(after(opened(), answered, ...ids.map(guided)).context.guidance?.map(({ guidanceId }) => guidanceId)).toEqual(ids.slice(1));
  });

  test('not after the hang-up', () => {
    expect(aggregate.decide(after(opened(), answered, hungUp), guided('g-1'))).toBe(null);
  });
});
