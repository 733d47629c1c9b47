import { RUNTIME_CARE } from '#protocol/runtime-care.ts';
import { expect, test } from '@jest/globals';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import type { ReconcileApp } from '#dialling/sweep.ts';
import { reapClaims } from '#dialling/reconciler.ts';
import type { SwitchPort } from '#platform/freeswitch/switch.ts';
import { addCampaign, addContact, dialTables } from '../../support/stores/dial-tables.ts';
import { openRegistry } from '../../support/stores/open-registry.ts';
import { simulatedDialStore } from '../../support/stores/simulated-dial-store.ts';
import { simulatedSlotRegistry } from '../../support/stores/simulated-slot-registry.ts';

const LEASE_MS = 30_000;
const REQUEST_ID = '00000000-0000-4000-8000-000000000001';

const unused = () => Promise.reject(new Error('not asked'));
const noSwitch: SwitchPort = {
  originate: unused,
  hangup: unused,
  probe: unused,
  dismiss: unused,
  channels: unused,
  setVariables: unused,
  gatewayDomain: unused,
  gatewayStatus: unused,
  cells: () => [],
  subscribe: () => () => undefined,
};

/** One claimed dial with a confirmed slot, `ageMs` after the claim. */
async function claimedDial(ageMs: number) {
  let now = 1_000_000;
  const tables = dialTables(() => now);
  const registry = simulatedSlotRegistry({ now: () => now, leaseMs: LEASE_MS });
  await openRegistry(registry);
  const campaign = addCampaign(tables, { status: 'running' });
  addContact(tables, { campaignId: campaign.id, phoneNumber: '13800000001' });
  const dials = simulatedDialStore(tables);
  const { grants } = await registry.reserve({
    campaignId: campaign.id,
    weight: 1,
    campaignMax: 1,
    callIntervalMs: 0,
    lines: [{ lineId: 1, max: 1, mode: 'single_shared', numbers: [], sharedNumber: null }],
    cells: [{ cellId: 'cell-1', max: 0, maxPerSecond: 30 }],
    requestIds: [REQUEST_ID],
  });
  await dials.claim({
    campaignId: campaign.id,
    grants,
    source: 'auto',
    requestedLimit: 1,
    effectiveLimit: 1,
    createdBy: null,
    instanceId: 'n1',
    campaignUpdatedAt: campaign.updatedAt,
    policyVersion: 1,
    frequencyDays: 0,
    validUntil: null,
    admit: () => ({ kind: 'admit' }),
    script: null,
  });
  await registry.confirm([REQUEST_ID]);
  now += ageMs;
  return { tables, registry, dials };
}

function depsOf(stores: Pick<ReconcileApp, 'dials' | 'slots'>): ReconcileApp {
  return {
    ...stores,
    softphoneCalls: { findOpen: async () => [], listHolding: async () => [] },
    ids: systemIds,
    switchPort: noSwitch,
    pool: { hold: unused },
    wake: { campaign: () => undefined },
    log: silentLog,
    reservationLeaseMs: LEASE_MS,
    calls: { send: unused, create: unused } as unknown as ReconcileApp['calls'],
    clock: systemClock,
    settings: { graceMs: 0, resultGraceMs: 0, care: RUNTIME_CARE, runtime: 'nats', originateTimeoutSeconds: () => 30 },
  };
}

test('the claim of a dead instance returns to the queue [A6 step 3]', async () => {
  const { tables, registry, dials } = await claimedDial(60_000);
  expect(await reapClaims(depsOf({ dials, slots: registry }))).toBe(1);
  expect(tables.byRequest.get(REQUEST_ID)?.status).toBe('cancelled');
});

test('a claim that a resuming instance marks at the last moment keeps its slot, because it is about to be dialled [I1]', async () => {
  const { tables, registry, dials } = await claimedDial(60_000);
  const racing: typeof dials = {
    ...dials,
    async openAttempts(afterId, limit) {
      const page = await dials.openAttempts(afterId, limit);
      await dials.markDialing([REQUEST_ID]);
      return page;
    },
  };
  expect(await reapClaims(depsOf({ dials: racing, slots: registry }))).toBe(0);
  expect(tables.byRequest.get(REQUEST_ID)?.status).toBe('dialing');
  expect(registry.holds(REQUEST_ID)).toBe(true);
});
