import { describe, expect, test } from '@jest/globals';
import type { LegContext } from '#actors/leg/context.ts';
import type { LegEvent } from '#actors/leg/events.ts';
import { legMachine } from '#actors/leg/machine.ts';
import { decideLeg } from '#legs/leg-actor.ts';
import type { ConferenceLeg } from '#conferences/conference.ts';
import type { LegMode } from '#legs/leg.ts';
import { givenMachine } from '#test/support/machine-given.ts';

const NEW: LegContext = {
  role: 'agent',
  mode: 'blind',
  askedByCallId: 9,
  memberId: null,
  canSpeak: true,
  dialingAt: null,
  joinedAt: null,
  endedAt: null,
  endCause: null,
  createdAt: 0,
};
const given = givenMachine<LegContext, LegEvent>(legMachine, NEW);
const listener = givenMachine<LegContext, LegEvent>(legMachine, { ...NEW, role: 'supervisor', mode: 'listen', canSpeak: false });
const consulted = givenMachine<LegContext, LegEvent>(legMachine, { ...NEW, mode: 'consult' });

const dialled: LegEvent = { type: 'legDialled', at: 9_000 };
const rang: LegEvent = { type: 'legRang' };
const joined: LegEvent = { type: 'legJoined', at: 1_000 };
const left: LegEvent = { type: 'legLeft', at: 2_000, cause: 'NORMAL_CLEARING' };
const dismissed: LegEvent = { type: 'legDismissed', at: 2_000, cause: 'REMOVED' };
const asks = (mode: LegMode, by: { isDispatcher?: boolean; callId?: number | null }): LegEvent => ({
  type: 'modeRequested',
  mode,
  by: { isDispatcher: by.isDispatcher ?? false, callId: by.callId ?? null },
});
const changed = (mode: LegMode, canSpeak: boolean): LegEvent => ({ type: 'voiceChanged', mode, memberId: 7, canSpeak });
const SUPERVISOR = { isDispatcher: true };
/** Effect types, without messages to the conference itself. */
const types = (step: { effects: { type: string }[] }) => step.effects.map(({ type }) => type).filter(type => type !== 'toConference');

describe('a leg from the reservation to its end [D12.5]', () => {
  test('is dialled by the first instance that marks it, and never after its end [A6 step 5]', () => {
    expect(given().when(dialled).value).toEqual('dialing');
    for (const before of [[dialled], [rang], [joined], [left]]) expect(given(...before).when(dialled).ignored).toBe(true);
  });

  test('accepts ringing and joining in any order', () => {
    expect(given(dialled).when(rang).value).toEqual('ringing');
    expect(given(joined).when(rang).ignored).toBe(true);
    for (const before of [[], [dialled], [dialled, rang]])
      expect(given(...before).when(joined)).toMatchObject({ value: 'joined', context: { joinedAt: 1_000 } });
    expect(given(joined).when({ type: 'legJoined', at: 1_500 }).ignored).toBe(true);
  });

  test('releases what it held once, and cannot be reopened', () => {
    const step = given(joined).when(left);
    expect(step).toMatchObject({ value: 'ended', context: { endedAt: 2_000, endCause: 'NORMAL_CLEARING' } });
    expect(types(step)).toEqual(['freeLeg']);
    for (const late of [left, joined, rang, asks('barge', SUPERVISOR)]) expect(given(joined, left).when(late).ignored).toBe(true);
  });

  test('accepts a late hang-up cause if its call was closed first', () => {
    const closed = givenMachine<LegContext, LegEvent>(legMachine, NEW)(joined, { type: 'legLeft', at: 2_000, cause: 'BUSY' });
    expect(closed.when(left).ignored).toBe(true);
    const row = { ...NEW, legUuid: 'leg', status: 'ended', endedAt: 1_900 } as ConferenceLeg;
    expect(decideLeg(row, left)?.leg).toMatchObject({ endedAt: 1_900, endCause: 'NORMAL_CLEARING' });
  });

  test('is lost 10 s after it was recorded, or, if it waited for its turn, after it was dialled', () => {
    const missing = (at: number): LegEvent => ({ type: 'legMissing', at });
    expect(given().when(missing(9_999)).ignored).toBe(true);
    expect(given().when(missing(10_000))).toMatchObject({ value: 'ended', context: { endCause: 'LOST' } });
    for (const before of [[dialled], [dialled, rang]]) {
      expect(given(...before).when(missing(18_999)).ignored).toBe(true);
      expect(given(...before).when(missing(19_000)).value).toBe('ended');
    }
  });

  test('hangs up a dismissed leg, and again if it is still there', () => {
    expect(types(given(joined).when(dismissed))).toEqual(['freeLeg', 'endChannel']);
    const again = given(joined, dismissed).when(dismissed);
    expect([again.value, types(again)]).toEqual(['ended', ['freeLeg', 'endChannel']]);
  });

  test('ignores a repeated report of the room', () => {
    const seen: LegEvent = { type: 'memberSeen', memberId: 77, canSpeak: false };
    expect(given().when(seen).context).toMatchObject({ memberId: 77, canSpeak: false });
    expect(given(seen).when(seen).ignored).toBe(true);
    expect(given(seen).when(joined).context).toMatchObject({ memberId: 77, canSpeak: false });
  });
});

describe('changing the mode of a leg [D12.6]', () => {
  test('a supervisor makes a listener barge in and listen again', () => {
    expect(listener(joined).when(asks('barge', SUPERVISOR)).effects).toEqual([{ type: 'changeVoice', params: { mode: 'barge' } }]);
    const heard = listener(joined, asks('barge', SUPERVISOR)).when(changed('barge', true));
    expect(heard.context).toMatchObject({ mode: 'barge', memberId: 7, canSpeak: true });
    const silent = listener(joined, changed('barge', true), asks('listen', SUPERVISOR)).when(changed('listen', false));
    expect(silent.context).toMatchObject({ mode: 'listen', canSpeak: false });
    expect(listener(joined).when(asks('barge', { callId: 9 })).ignored).toBe(true);
  });

  test('a supervisor switches to whispering and back; the mode changes after the switch has changed the audio', () => {
    for (const [from, to] of [
      ['listen', 'whisper'],
      ['whisper', 'listen'],
      ['barge', 'whisper'],
      ['whisper', 'barge'],
    ] as const) {
      const step = listener(joined, changed(from, from === 'barge')).when(asks(to, SUPERVISOR));
      expect([step.context.mode, step.effects]).toEqual([from, [{ type: 'changeVoice', params: { mode: to } }]]);
    }
    expect(listener(joined).when(asks('whisper', { callId: 9 })).ignored).toBe(true);
  });

  test('a supervisor or the consulting agent turns a consultation into a three-way call; the audio stays', () => {
    for (const by of [SUPERVISOR, { callId: 9 }]) {
      const step = consulted(joined).when(asks('barge', by));
      expect([step.context.mode, step.effects]).toEqual(['barge', []]);
    }
    for (const by of [{ callId: 8 }, {}]) expect(consulted(joined).when(asks('barge', by)).ignored).toBe(true);
  });

  test.each(['blind', 'consult', 'listen', 'whisper', 'barge'] as const)(
    'an agent who talks to the customer cannot be switched to %s',
    mode => {
      expect(given(joined).when(asks(mode, SUPERVISOR)).ignored).toBe(true);
    },
  );
});

test('the row of a leg is its snapshot: only a real change counts', () => {
  const row = { ...NEW, softphoneCallId: 1, legUuid: 'leg', status: 'joined' } as ConferenceLeg;
  expect(decideLeg(row, joined)).toBe(null);
  expect(decideLeg(row, left)).toMatchObject({ isNew: true, leg: { softphoneCallId: 1, status: 'ended', endCause: 'NORMAL_CLEARING' } });
  expect(decideLeg({ ...row, status: 'ended' }, dismissed)).toMatchObject({ isNew: false, leg: { status: 'ended' } });
});
