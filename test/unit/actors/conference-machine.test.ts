import { describe, expect, test } from '@jest/globals';
import type { ConferenceEvent } from '#actors/conference/events.ts';
import type { LegEvent } from '#actors/leg/events.ts';
import { decideConference, type SessionEvent } from '#conferences/conference-actor.ts';
import type { ConferenceLeg, ConferenceSession } from '#conferences/conference.ts';

const AT = 1_000_000;
const leg = (softphoneCallId: number, parts: Partial<ConferenceLeg>): ConferenceLeg => ({
  softphoneCallId,
  conferenceId: 1,
  role: 'agent',
  mode: 'transfer',
  agentId: softphoneCallId,
  agentName: `坐席${softphoneCallId}`,
  userId: softphoneCallId,
  targetNumber: '1001',
  legUuid: `leg-${softphoneCallId}`,
  fence: `leg-${softphoneCallId}`,
  askedByCallId: null,
  holdsSlot: false,
  status: 'joined',
  memberId: null,
  canSpeak: true,
  dialingAt: AT,
  joinedAt: AT,
  endedAt: null,
  endCause: null,
  createdAt: AT,
  ...parts,
});
const session = (parts: Partial<ConferenceSession>): ConferenceSession =>
  ({
    id: 1,
    kind: 'transfer',
    status: 'live',
    customerState: 'inside',
    customerUuid: 'customer',
    interventionId: null,
    cellId: 'cell-1',
    triedAgentIds: [],
    legs: [],
    createdAt: AT,
    answeredAt: null,
    endedAt: null,
    endCause: null,
    ...parts,
  }) as unknown as ConferenceSession;

const reviewed = (at = AT, isPeriodic = false): ConferenceEvent => ({ type: 'reviewed', at, isPeriodic });
const after = (parts: Partial<ConferenceSession>, event: Parameters<typeof decideConference>[1]) => {
  const change = decideConference(session(parts), event);
  return (
    change && { ...change.session, isNew: change.isNew, effects: change.effects.map(({ type }) => type), params: change.effects[0]?.params }
  );
};
const talker = leg(1, {});
const members = (...uuids: string[]) => uuids.map((channelUuid, index) => ({ channelUuid, memberId: index + 1, canSpeak: true }));

describe('looking for an agent [D12.5, D12.7]', () => {
  const routing = { status: 'routing', customerState: 'outside' } as const;
  const refused = leg(1, { status: 'ended', endCause: 'USER_BUSY' });

  test('the next agent is called once the last call failed and the runtime is notified; never while another phone rings', () => {
    // Reviews overlap and repeat: what one of them reports by itself, the next would report again.
    expect(after({ ...routing, legs: [refused] }, reviewed())).toMatchObject({
      status: 'routing',
      isNew: false,
      effects: ['ringNextAgent'],
    });
    expect(after({ ...routing, legs: [leg(1, { status: 'ringing' })] }, reviewed())).toBe(null);
    const entered = { type: 'participantEntered', mode: 'transfer', agentId: 5 } as const;
    expect(after({ ...routing, legs: [refused], triedAgentIds: [1] }, entered)).toMatchObject({ triedAgentIds: [1, 5] });
    for (const legs of [[talker], [leg(1, { status: 'ringing' })]]) expect(after({ ...routing, legs }, entered)).toBe(null);
  });

  test('a review does not interfere with the request that has just opened the session', () => {
    expect(after(routing, reviewed(AT + 9_999, true))?.effects ?? []).toEqual([]);
    expect(after(routing, reviewed(AT + 10_000, true))).toMatchObject({ effects: ['ringNextAgent'] });
  });

  test('phones that ring for the script are cancelled by an intervention, but not those of an intervention itself', () => {
    const intervened = { type: 'intervened', at: AT } as const;
    const legs = [leg(1, { status: 'ringing' })];
    expect(after({ ...routing, legs }, intervened)).toMatchObject({
      status: 'ended',
      endCause: 'INTERVENED',
      customerState: 'outside',
      effects: ['stopRecording', 'freeLeg', 'endChannel'],
    });
    expect(after({ ...routing, legs, interventionId: 'iv-1' }, intervened)).toBe(null);
    expect(after({ legs: [talker] }, intervened)).toBe(null);
  });

  test('when no agent is found the session ends, unless another instance has found one', () => {
    const nobodyFound = { type: 'nobodyFound', at: AT } as const;
    expect(after({ ...routing, legs: [refused] }, nobodyFound)).toMatchObject({
      status: 'ended',
      endCause: 'NO_ANSWER',
      effects: ['stopRecording', 'notifyRuntime', 'notifyRuntime'],
    });
    expect(after({ ...routing, status: 'ended', legs: [refused] }, nobodyFound)).toBe(null);
    expect(decideConference(session({ ...routing, legs: [refused] }), nobodyFound)?.effects.slice(1)).toMatchObject([
      { params: { status: 'unanswered', agentId: 1, cause: 'USER_BUSY' } },
      { params: { status: 'failed', cause: 'NO_ANSWER' } },
    ]);
    expect(after(routing, nobodyFound)).toMatchObject({ effects: ['stopRecording', 'notifyRuntime'] });
    expect(after({ ...routing, legs: [leg(2, { status: 'ringing' })] }, nobodyFound)).toBe(null);
  });

  test('the first answer makes it live, with its true time; one instance brings the customer in', () => {
    const rings = leg(1, { status: 'ringing', joinedAt: null });
    const answered = { type: 'legChanged', legUuid: 'leg-1', event: { type: 'legJoined', at: AT + 5 } } as const;
    expect(after({ ...routing, legs: [rings] }, answered)).toMatchObject({ status: 'live', answeredAt: AT + 5, customerState: 'outside' });
    expect(after({ customerState: 'outside', legs: [talker] }, reviewed())).toMatchObject({
      customerState: 'inside',
      effects: ['bringCustomerIn'],
    });
    expect(after({ legs: [talker] }, reviewed())).toBe(null);
    expect(after({ legs: [talker] }, { type: 'customerNotMoved' })).toMatchObject({ customerState: 'outside' });
  });
});

describe('an event and the review that it requires are one commit: no instance can be lost between them', () => {
  const reviewedAfter = (event: Extract<SessionEvent, { type: 'reviewedAfter' }>['event']) =>
    ({ type: 'reviewedAfter', event, at: AT + 5 }) as const;
  const ofLeg = (event: LegEvent) => ({ type: 'legChanged', legUuid: 'leg-1', event }) as const;

  test('an answer admits the customer', () => {
    const legs = [leg(1, { status: 'ringing', joinedAt: null })];
    const change = after({ status: 'routing', customerState: 'outside', legs }, reviewedAfter(ofLeg({ type: 'legJoined', at: AT + 5 })));
    expect(change).toMatchObject({ status: 'live', answeredAt: AT + 5, customerState: 'inside', effects: ['bringCustomerIn'] });
  });

  test('the removal of a consulted agent ends the consultation', () => {
    const asked = leg(1, { mode: 'consult', askedByCallId: 2 });
    const removal = { type: 'participantRemoved', legUuid: 'leg-1', isForced: false, at: AT } as const;
    expect(after({ customerState: 'aside', legs: [asked, leg(2, {})] }, reviewedAfter(removal))).toMatchObject({
      effects: ['freeLeg', 'endChannel', 'bringCustomerBack'],
    });
  });

  test('an event that changes nothing is no reason for a review', () => {
    const legs = [talker];
    expect(after({ customerState: 'outside', legs }, reviewedAfter(ofLeg({ type: 'legRang' })))).toBe(null);
  });
});

describe('participants [D12.6]', () => {
  test('an agent who transfers blindly leaves once the other agent has joined', () => {
    const taken = leg(2, { mode: 'blind', askedByCallId: 1 });
    const change = after({ legs: [talker, taken] }, reviewed());
    expect(change).toMatchObject({ status: 'live', effects: ['freeLeg', 'endChannel'], params: { leg: { legUuid: 'leg-1' } } });
    expect(change?.legs.map(({ status, endCause }) => [status, endCause])).toEqual([
      ['ended', 'ATTENDED_TRANSFER'],
      ['joined', null],
    ]);
    expect(after({ legs: [talker, leg(2, { mode: 'blind', askedByCallId: 1, status: 'ringing' })] }, reviewed())).toBe(null);
  });

  test('the customer is put aside while the consulting agent talks and the consulted one rings or talks', () => {
    expect(after({ legs: [talker] }, { type: 'consultationBegun' })).toMatchObject({
      customerState: 'aside',
      effects: ['putCustomerAside'],
    });
    const asked = leg(2, { mode: 'consult', askedByCallId: 1, status: 'ringing' });
    expect(after({ customerState: 'aside', legs: [talker, asked] }, reviewed())).toBe(null);
    for (const legs of [[talker], [asked], [talker, leg(2, { mode: 'barge', askedByCallId: 1 })]]) {
      expect(after({ customerState: 'aside', legs }, reviewed())).toMatchObject({ customerState: 'aside', effects: ['bringCustomerBack'] });
    }
    expect(after({ customerState: 'aside', legs: [talker] }, { type: 'customerReturned' })).toMatchObject({ customerState: 'inside' });
  });

  test('the last talking agent cannot be removed by mistake', () => {
    const removal = { type: 'participantRemoved', legUuid: 'leg-1', isForced: false, at: AT } as const;
    expect(after({ legs: [talker, leg(2, { role: 'supervisor', mode: 'barge' })] }, removal)).toBe(null);
    for (const [legs, isForced] of [
      [[talker], true],
      [[talker, leg(2, {})], false],
    ] as const) {
      expect(after({ legs: [...legs] }, { ...removal, isForced })?.legs[0]).toMatchObject({ status: 'ended', endCause: 'REMOVED' });
    }
  });

  test('the session ends when all agents are gone and none rings; the runtime says goodbye, or the channel is ended', () => {
    const gone = leg(1, { status: 'ended' });
    expect(after({ legs: [leg(2, { status: 'ringing' }), gone] }, reviewed())).toBe(null);
    expect(after({ legs: [leg(2, { role: 'supervisor', mode: 'listen' }), gone] }, reviewed())).toMatchObject({
      status: 'ended',
      endCause: 'AGENTS_GONE',
      customerState: 'inside',
      effects: ['stopRecording', 'freeLeg', 'endChannel', 'notifyRuntime'],
    });
    expect(after({ kind: 'session', legs: [gone] }, reviewed())).toBe(null);
  });

  test('when the last talking agent is cut off, the customer leaves the room and returns to the script; a normal hang-up is no loss [D12.7]', () => {
    const ended = (softphoneCallId: number, endedAt: number, endCause: string) =>
      leg(softphoneCallId, { status: 'ended', endedAt, endCause });
    for (const legs of [[ended(1, AT + 9, 'MEDIA_TIMEOUT')], [ended(1, AT + 9, 'LOST'), ended(2, AT + 5, 'NORMAL_CLEARING')]]) {
      expect(after({ legs }, reviewed())).toMatchObject({
        status: 'ended',
        endCause: 'AGENT_LOST',
        effects: ['stopRecording', 'returnCustomer', 'notifyRuntime'],
      });
    }
    expect(after({ legs: [leg(2, { status: 'ringing' }), ended(1, AT + 9, 'MEDIA_TIMEOUT')] }, reviewed())).toBe(null);
    const handedOn = [ended(1, AT + 5, 'MEDIA_TIMEOUT'), ended(2, AT + 9, 'NORMAL_CLEARING')];
    expect(after({ legs: handedOn }, reviewed())).toMatchObject({ endCause: 'AGENTS_GONE' });
  });
});

describe('what a reconciliation finds [A10, I9]', () => {
  test('a customer who was sent to the room and does not arrive is sent again', () => {
    const missed = { type: 'customerMissed', since: AT, at: AT + 2_499 } as const;
    expect(after({ legs: [talker] }, missed)).toBe(null);
    expect(after({ legs: [talker] }, { ...missed, at: AT + 2_500 })).toMatchObject({ customerState: 'outside' });
    expect(after({ kind: 'session', legs: [talker] }, { ...missed, at: AT + 2_500 })).toBe(null);
  });

  test('a session has a maximum duration, and the search for an agent a time limit', () => {
    const aged = (at: number) => ({ type: 'aged', at: AT + at, routingMs: 1_000, sessionMs: 5_000 }) as const;
    const routing = { status: 'routing', customerState: 'outside' } as const;
    expect(after(routing, aged(1_000))).toBe(null);
    expect(after(routing, aged(1_001))).toMatchObject({ endCause: 'ALLOTTED_TIMEOUT', effects: ['stopRecording', 'notifyRuntime'] });
    expect(after({ legs: [talker] }, aged(5_000))).toBe(null);
    expect(after({ legs: [talker] }, aged(5_001))).toMatchObject({
      status: 'ended',
      effects: ['stopRecording', 'freeLeg', 'endChannel', 'endCustomer'],
    });
  });

  test('an agent whose customer is not being called does not wait: the instance that handled the browser died [D12.4]', () => {
    const aged = (at: number, isCustomerDue = true) =>
      ({ type: 'aged', at: AT + at, routingMs: 1, callingMs: 1_000, sessionMs: 60_000, isCustomerDue }) as const;
    const alone = { kind: 'session', answeredAt: AT, legs: [leg(1, { mode: 'session' })] } as const;
    expect(after({ ...alone, legs: [...alone.legs] }, aged(1_000))).toMatchObject({ status: 'ended', endCause: 'FAILED' });
    expect(after({ ...alone, legs: [...alone.legs] }, aged(999))).toBe(null);
    expect(after({ ...alone, legs: [...alone.legs] }, aged(1_000, false))).toBe(null);
    const called = leg(2, { role: 'external', mode: 'session', agentId: null, status: 'ringing' });
    expect(after({ ...alone, legs: [...alone.legs, called] }, aged(1_000))).toBe(null);
  });

  test('channels left in the room of an ended session are hung up; the customer hears a goodbye first', () => {
    const over = { status: 'ended', endedAt: AT } as const;
    const seen = (at: number) => ({ type: 'roomSeen', at: AT + at, members: members('customer', 'x') }) as const;
    expect(after(over, seen(14_999))?.params).toEqual({ channelUuids: ['x'] });
    expect(after(over, seen(15_000))?.params).toEqual({ channelUuids: ['customer', 'x'] });
    expect(after({ legs: [talker] }, seen(15_000))).toBe(null);
  });

  test('a whisper reaches only our agents, and nobody before the customer has joined [D12.6]', () => {
    const whisperer = leg(2, { role: 'supervisor', mode: 'whisper' });
    const external = leg(3, { role: 'external', mode: 'barge', agentId: null });
    const present = { legs: [talker, whisperer, external, leg(4, { role: 'supervisor', mode: 'listen' })] };
    const seen = (...uuids: string[]) => ({ type: 'roomSeen', at: AT, members: members(...uuids) }) as const;
    expect(after(present, seen('customer', 'leg-1', 'leg-2', 'leg-3', 'leg-4'))).toMatchObject({
      isNew: false,
      effects: ['changeVoices'],
      params: {
        voices: [
          { memberId: 3, canSpeak: true, isNew: false, unheardBy: [1, 4, 5] },
          { memberId: 5, canSpeak: false, isNew: true, unheardBy: null },
        ],
      },
    });
    expect(after(present, seen('leg-1', 'leg-2'))?.params).toEqual({
      voices: [{ memberId: 2, canSpeak: false, isNew: true, unheardBy: [] }],
    });
    expect(after(present, seen('customer', 'leg-1'))).toBe(null);
    expect(after({ legs: [talker] }, seen('customer', 'leg-1'))).toBe(null);
  });

  test('an end is reported once, and ends all legs', () => {
    expect(after({ legs: [talker] }, { type: 'customerLeft', at: AT + 1 })).toMatchObject({
      customerState: 'gone',
      endCause: 'CUSTOMER_GONE',
      legs: [{ status: 'ended', endedAt: AT + 1 }],
    });
    for (const late of [{ type: 'customerLeft', at: AT }, { type: 'closed', at: AT, cause: 'FAILED' }, reviewed()] as const)
      expect(after({ status: 'ended', endedAt: AT }, late)).toBe(null);
  });
});

describe('the session of a browser phone [D12.4]', () => {
  const own = leg(1, { mode: 'session' });
  const customer = leg(2, { role: 'external', mode: 'session', agentId: null });
  const left = { type: 'legsLeft', at: AT, cause: 'NORMAL_CLEARING' } as const;
  const aged = (at: number) => ({ type: 'aged', at: AT + at, routingMs: 1_000, sessionMs: 5_000 }) as const;
  const of = (legs: ConferenceLeg[], event: ConferenceEvent) => after({ kind: 'session', customerState: 'outside', legs }, event);

  test('ends with its customer or with the last talking agent; an agent who has transferred leaves alone', () => {
    const gone = { status: 'ended' } as const;
    expect(of([own, { ...customer, ...gone }], left)).toMatchObject({ status: 'ended', endCause: 'NORMAL_CLEARING' });
    expect(of([customer, { ...own, ...gone }], left)).toMatchObject({ status: 'ended' });
    expect(of([customer, leg(3, { mode: 'blind' }), { ...own, ...gone }], left)).toBe(null);
    expect(of([{ ...own, ...gone }], aged(1))).toMatchObject({ endCause: 'LOST' });
    expect(of([own, customer], aged(5_001))).toMatchObject({ endCause: 'ALLOTTED_TIMEOUT' });
    expect(after({ kind: 'session', status: 'routing' }, aged(1_001))).toMatchObject({ endCause: 'NO_ANSWER' });
  });

  test('allows a consultation at once; a transfer only when the customer is inside [D12.6]', () => {
    const entered = { type: 'participantEntered', mode: 'consult', agentId: 5 } as const;
    expect(of([own], entered)).not.toBe(null);
    expect(after({ legs: [talker] }, entered)).not.toBe(null);
    expect(after({ customerState: 'outside', legs: [talker] }, entered)).toBe(null);
    for (const status of ['routing', 'ended'] as const) expect(after({ status, customerState: 'outside' }, entered)).toBe(null);
  });
});

describe('the agent gives the customer back to the bot [D9.9]', () => {
  const order = { guidanceId: 'b-1', text: '周三上门', nodeId: null, by: '王主管' };
  const handedBack: ConferenceEvent = { type: 'handedBack', order, at: AT };
  const talking = { requestId: 'customer', legs: [talker] };

  test('the customer leaves the room before the agents do, and the runtime gets the call last', () => {
    expect(after(talking, handedBack)).toMatchObject({
      status: 'ended',
      endCause: 'HANDED_BACK',
      effects: ['returnCustomer', 'stopRecording', 'freeLeg', 'endChannel', 'handBack'],
    });
    expect(decideConference(session(talking), handedBack)?.effects.at(-1)?.params).toEqual(order);
  });

  test('never without a customer in the room, in a session of a browser phone, or after the end', () => {
    expect(after({ ...talking, customerState: 'outside' }, handedBack)).toBe(null);
    expect(after({ ...talking, kind: 'session' }, handedBack)).toBe(null);
    expect(after({ ...talking, status: 'ended' }, handedBack)).toBe(null);
  });
});
