import { RUNTIME_CARE } from '#protocol/runtime-care.ts';
import { expect, test } from '@jest/globals';
import { systemClock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import type { ReconcileApp } from '#dialling/sweep.ts';
import { rebuildSlots } from '#dialling/rebuild-slots.ts';
import { runReconciler } from '#dialling/reconciler.ts';
import type { OpenAttempt } from '#outcomes/outcome-store.ts';
import type { RestoredSlot, SlotRegistry } from '#slots/slot-registry.ts';
import type { LiveCallReadPart } from '#calls/live-call-store.ts';
import type { RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import type { Platform } from '#platform/platform.ts';

const attempt = (requestId: string, campaignId: number): OpenAttempt => ({
  id: campaignId,
  requestId,
  campaignId,
  contactId: 1,
  lineId: 7,
  callerNumber: null,
  cellId: 'cell-1',
  status: 'accepted',
  claimedAgoMs: 0,
  dialingAgoMs: 0,
  answeredAt: null,
  heardRuntime: null,
  unheardMs: null,
  hasResult: false,
});
const MODES: Readonly<Record<string, string>> = { open: 'strict', elastic: 'elastic', 'closed, still up': 'strict' };

test('a rebuild marks the calls that need a monitor: open ones, and channels whose attempt is closed [OCS 4.12 rule 4, A6 step 10]', async () => {
  const restored: RestoredSlot[] = [];
  const slots = {
    startRebuild: async () => undefined,
    restore: async (_: string, entries: readonly RestoredSlot[]) => void restored.push(...entries),
    open: async () => true,
  } satisfies Partial<SlotRegistry>;
  const dials = {
    openAttempts: async (after: number) => (after === 0 ? [attempt('open', 1), attempt('elastic', 2)] : []),
    findAttempts: async (ids: readonly string[]) => ids.map(id => attempt(id, 3)),
    loadDetails: async (ids: readonly string[]) =>
      ids.map(requestId => ({ requestId, businessConfig: { monitoringMode: MODES[requestId] } })),
  };
  const deps = {
    slots,
    dials,
    softphoneCalls: {
      findOpen: async () => [],
      listHolding: async () => [{ requestId: 'agent', lineId: 7, callerNumber: null, cellId: 'cell-1' }],
    },
    switchPort: {
      cells: () => [{ cellId: 'cell-1', state: 'up' }],
      channels: async () => ['open', 'closed, still up'].map(uuid => ({ uuid, isAnswered: true, isInConference: false })),
    },
    wake: { campaign: () => undefined },
    ids: systemIds,
    log: silentLog,
  } as unknown as ReconcileApp;
  await rebuildSlots(deps);
  expect(restored.map(({ requestId, needsMonitor }) => [requestId, needsMonitor])).toEqual([
    ['open', true],
    ['elastic', false],
    ['agent', false],
    ['closed, still up', true],
  ]);
});

test('answered calls are adopted once the registry is open [A6 step 10]', async () => {
  const steps: string[] = [];
  const answered = { ...attempt('answered', 1), status: 'answered' as const, answeredAt: 1_000 };
  const deps = {
    slots: { startRebuild: async () => undefined, restore: async () => undefined, open: async () => steps.push('open') > 0 },
    dials: {
      openAttempts: async (after: number) => (after === 0 ? [answered, attempt('ringing', 2)] : []),
      findAttempts: async (ids: readonly string[]) => ids.flatMap(id => (id === 'answered' ? answered : [])),
      loadDetails: async (ids: readonly string[]) => ids.map(requestId => ({ requestId, businessConfig: {}, cellId: 'cell-1' })),
    },
    softphoneCalls: { listHolding: async () => [] },
    switchPort: { cells: () => [] },
    calls: { create: async (id: string) => steps.push(`create ${id}`) > 0, send: async () => ({ kind: 'applied' }) },
    clock: { now: () => 0 },
    settings: { graceMs: 0, resultGraceMs: 0, care: RUNTIME_CARE, originateTimeoutSeconds: () => 30 },
    wake: { campaign: () => undefined },
    ids: systemIds,
    log: silentLog,
  } as unknown as ReconcileApp;
  await rebuildSlots(deps);
  expect(steps).toEqual(['open', 'create answered']);
});

test('answered calls are adopted even while no rebuild succeeds [I9]', async () => {
  const created: string[] = [];
  const stop = new AbortController();
  const answered = { ...attempt('answered', 1), status: 'answered' as const, answeredAt: 1_000 };
  const deps = {
    locks: { acquire: async () => 'token', release: async () => undefined },
    slots: {
      isCold: async () => true,
      startRebuild: async () => {
        throw new CalloutError('CACHE_UNAVAILABLE', '缓存不可用');
      },
    },
    dials: {
      openAttempts: async (after: number) => (after === 0 ? [answered] : []),
      findAttempts: async () => [answered],
      loadDetails: async () => [{ requestId: 'answered', businessConfig: {}, cellId: 'cell-1' }],
    },
    switchPort: { channels: async () => [{ uuid: 'answered', isAnswered: true, isInConference: false }] },
    calls: { find: async () => null, create: async (id: string) => created.push(id) > 0, send: async () => ({ kind: 'applied' }) },
    clock: systemClock,
    settings: { graceMs: 0, resultGraceMs: 0, care: RUNTIME_CARE, originateTimeoutSeconds: () => 30 },
    ids: systemIds,
    log: { ...silentLog, warn: () => stop.abort() },
  } as unknown as ReconcileApp & LiveCallReadPart & RuntimeEventsPart & Pick<Platform, 'locks'>;
  await runReconciler(deps, stop.signal);
  expect(created).toEqual(['answered']);
});
