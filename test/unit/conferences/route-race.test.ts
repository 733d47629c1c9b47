import { expect, test } from '@jest/globals';
import { silentLog } from '#kernel/log.ts';
import type { ConferenceApp } from '#conferences/conference-actor.ts';
import { routeTransfer } from '#conferences/transfer.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const SESSION = {
  id: 1,
  conferenceName: 'callout-1',
  status: 'routing',
  cellId: 'cell-1',
  customerUuid: 'customer',
  triedAgentIds: [],
  preferredAgentId: null,
  onlyPreferred: false,
  groupId: null,
  attemptId: null,
  legs: [] as object[],
};
const LEG = {
  softphoneCallId: 2,
  mode: 'transfer',
  status: 'ringing',
  agentId: 3,
  agentName: '坐席',
  userId: 1,
  legUuid: 'leg',
  targetNumber: '1001',
};

test('if another instance rings an agent at the same moment, the route returns that agent [D12.5 "the same customer UUID"]', async () => {
  const done: string[] = [];
  const deps = {
    clock: manualClock(),
    log: silentLog,
    ids: () => 'id',
    conferenceSettings: { maxAgentsAsked: 3 },
    switchPort: { cells: () => [{ cellId: 'cell-1' }], probe: async () => ({ kind: 'answered', answeredAt: 1 }) },
    phoneRegistry: { locate: () => ({ cellId: 'cell-1', realm: 'callout' }) },
    sipSettings: { sipRealm: '' },
    agentDirectory: { find: async () => ({ agentId: 3, userId: null, phoneExtension: '1001' }) },
    agentReservations: { reserve: async () => ({ agentId: 3, fence: 'leg' }), release: async () => void done.push('release') },
    conferences: {
      findByCustomer: async () => null,
      findCall: async () => ({ requestId: 'call', attemptId: 4, campaignId: 5, cellId: 'cell-1' }),
      open: async () => ({ session: SESSION, isNew: true }),
      // The other instance has just added its leg.
      addLeg: async () => null,
      findByLeg: async () => SESSION,
      find: async () => ({ ...SESSION, legs: [LEG] }),
      change: async () => void done.push('end'),
    },
  };
  const routed = await routeTransfer(deps as unknown as ConferenceApp, { requestId: 'call', customerUuid: 'customer', reason: '' });
  expect(routed).toMatchObject({ conferenceId: 1, agent: { id: 3, phoneExtension: '1001' }, agentCallUuid: 'leg' });
  expect(done).toEqual([]);
});
