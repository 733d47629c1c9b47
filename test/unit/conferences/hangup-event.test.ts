import { expect, test } from '@jest/globals';
import { silentLog } from '#kernel/log.ts';
import type { ConferenceApp } from '#conferences/conference-actor.ts';
import { decideConference } from '#conferences/conference-actor.ts';
import type { ConferenceChange, ConferenceSession } from '#conferences/conference.ts';
import { reconcileConferences } from '#conferences/reconcile.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const LEG = {
  softphoneCallId: 2,
  legUuid: 'leg',
  role: 'agent',
  status: 'joined',
  mode: 'transfer',
  agentId: null,
  fence: null,
  joinedAt: 1,
  endedAt: null,
  endCause: null,
  holdsSlot: false,
};

/** A conference whose agent's channel is gone from the switch. */
function rig() {
  const clock = manualClock();
  let session = {
    id: 1,
    kind: 'transfer',
    status: 'live',
    customerState: 'inside',
    cellId: 'cell-1',
    conferenceName: 'callout-1',
    customerUuid: 'customer',
    createdAt: clock.now(),
    answeredAt: clock.now(),
    legs: [LEG],
  } as unknown as ConferenceSession;
  const told: string[] = [];
  const change = async (_: unknown, decide: (known: ConferenceSession) => ConferenceChange | null) => {
    const next = decide(session);
    if (next) session = next.session;
    for (const { type, params } of next?.effects ?? []) if (type === 'notifyRuntime') told.push(String(Object(params).status));
    // Effects are not executed: what the session asks for is enough.
    return next && { ...next, effects: [] };
  };
  const app = {
    clock,
    log: silentLog,
    conferenceSettings: { maxSessionMs: 3_600_000, ringTimeoutSeconds: 20, maxAgentsAsked: 2 },
    conferences: { listRunning: async () => [session], listEndedSince: async () => [], setMemberCount: async () => undefined, change },
    switchPort: {
      channels: async () => [{ uuid: 'customer' }],
      probe: async (_: string, uuid: string) => ({ kind: uuid === 'customer' ? 'answered' : 'absent', answeredAt: 1 }),
    },
    rooms: { members: async () => [] },
  } as unknown as ConferenceApp;
  const hangUpIsTold = () =>
    change(null, known =>
      decideConference(known, {
        type: 'legChanged',
        legUuid: 'leg',
        event: { type: 'legLeft', at: clock.now(), cause: 'NORMAL_CLEARING' },
      }),
    );
  return { app, clock, told, hangUpIsTold, endCause: () => session.legs[0]?.endCause };
}

test('an agent who hangs up is not a lost phone, although its channel ends before the hang-up event arrives [D12.7]', async () => {
  const { app, clock, told, hangUpIsTold, endCause } = rig();
  const round = reconcileConferences(app, { missingSince: new Map() });
  await clock.pass(100);
  await hangUpIsTold();
  await clock.until(round);
  expect(endCause()).toBe('NORMAL_CLEARING');
  expect(told).toEqual(['ended']);
});

test('a phone without a hang-up event is lost [D12.7, I9]', async () => {
  const { app, clock, told, endCause } = rig();
  await clock.until(reconcileConferences(app, { missingSince: new Map() }));
  expect(endCause()).toBe('LOST');
  expect(told).toEqual(['failed']);
});
