import { expect, test } from '@jest/globals';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { type ConferenceApp, sendToLeg } from '#conferences/conference-actor.ts';
import type { ConferenceSession } from '#conferences/conference.ts';
import { reconcileConferences } from '#conferences/reconcile.ts';
import { conferenceInMemory } from '#test/support/conference-host.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const LEG = {
  conferenceId: 1,
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
async function rig() {
  const clock = manualClock();
  const session = {
    id: 1,
    kind: 'transfer',
    status: 'live',
    customerState: 'inside',
    cellId: 'cell-1',
    conferenceName: 'callout-1',
    customerUuid: 'customer',
    requestId: 'request',
    createdAt: clock.now(),
    answeredAt: clock.now(),
    legs: [LEG],
  } as unknown as ConferenceSession;
  const told: string[] = [];
  const { app, now } = await conferenceInMemory(session, {
    clock,
    log: silentLog,
    ids: systemIds,
    conferenceSettings: { maxSessionMs: 3_600_000, ringTimeoutSeconds: 20, maxAgentsAsked: 2 },
    conferences: { listRunning: async () => [await now()], listEndedSince: async () => [], setMemberCount: async () => undefined },
    switchPort: {
      channels: async () => [{ uuid: 'customer' }],
      probe: async (_: string, uuid: string) => ({ kind: uuid === 'customer' ? 'answered' : 'absent', answeredAt: 1 }),
      hangup: async () => 'ended',
    },
    rooms: { members: async () => [], park: async () => undefined },
    runtime: { command: async (_id: string, _name: string, { status }: { status: string }) => void told.push(status) },
  });
  return { app, clock, told, endCause: async () => (await now())?.legs[0]?.endCause };
}

const hangUpIsTold = (app: ConferenceApp) =>
  sendToLeg(app, { conferenceId: 1, legUuid: 'leg' }, { type: 'legLeft', at: app.clock.now(), cause: 'NORMAL_CLEARING' });

test('an agent who hangs up is not a lost phone, although its channel ends before the hang-up event arrives [D12.7]', async () => {
  const { app, clock, told, endCause } = await rig();
  const round = reconcileConferences(app, { missingSince: new Map() });
  await clock.pass(100);
  await hangUpIsTold(app);
  await clock.until(round);
  expect(await endCause()).toBe('NORMAL_CLEARING');
  expect(told).toEqual(['ended']);
});

test('a phone without a hang-up event is lost [D12.7, I9]', async () => {
  const { app, clock, told, endCause } = await rig();
  await clock.until(reconcileConferences(app, { missingSince: new Map() }));
  expect(await endCause()).toBe('LOST');
  expect(told).toEqual(['failed']);
});
