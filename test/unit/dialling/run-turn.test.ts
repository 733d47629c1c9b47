import { NUMBER_RULE_DEFAULTS } from '#lines/decisions/number-rules.ts';
import { BREAKER_DEFAULTS } from '#platform/config/defaults.ts';
import { RUNTIME_CARE } from '#protocol/runtime-care.ts';
import { expect, test } from '@jest/globals';
import { systemClock } from '#kernel/clock.ts';
import { CalloutError } from '#kernel/errors.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import { ActorHost } from '#platform/actor-host/actor-host.ts';
import { type CallActorEvent, callAggregate, type CallState } from '#calls/call-actor.ts';
import { attemptWriter } from '#outcomes/progress.ts';
import { runTurn, type TurnApp } from '#dialling/turn.ts';
import { createDialBacklog } from '#dialling/send.ts';
import { createWithdrawals } from '#dialling/claim.ts';
import type { SlotRegistry } from '#slots/slot-registry.ts';
import { MemoryActorStore } from '../../support/memory-actor-store.ts';
import { addCampaign, addContact, dialTables } from '../../support/stores/dial-tables.ts';
import { campaignHostOver } from '#test/support/campaign-host.ts';
import { openRegistry } from '../../support/stores/open-registry.ts';
import { simulatedCampaignActorStore } from '#test/support/stores/simulated-campaign-actor-store.ts';
import { simulatedDialStore } from '../../support/stores/simulated-dial-store.ts';
import { simulatedLocks } from '../../support/stores/simulated-locks.ts';
import { simulatedSlotRegistry } from '../../support/stores/simulated-slot-registry.ts';
import type { DialStore } from '#dialling/dial-store.ts';

const away = (code: 'DATABASE_UNAVAILABLE' | 'CACHE_UNAVAILABLE') => () => Promise.reject(new CalloutError(code, '不可用'));

interface Faults {
  dials?: (dials: DialStore) => Partial<DialStore>;
  slots?: Partial<SlotRegistry>;
  recordEvent?: () => Promise<never>;
  /** Commit of the campaign's actor. */
  commit?: () => Promise<never>;
}

/** One running campaign with three contacts and slots for all of them, over stores that fail as specified. */
async function turnWith({ dials: dialFaults = () => ({}), slots: slotFaults = {}, recordEvent, commit }: Faults) {
  const now = () => Date.now();
  const tables = dialTables(now);
  tables.lines.set(1, {
    id: 1,
    name: '',
    code: 'l',
    dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
    callerIdNumber: null,
    callerIdName: null,
    maxConcurrency: 9,
    allocationMode: 'single_shared',
    callerIdHeaderMode: 'caller_id_only',
    numberFormat: 'national',
    localPrefixes: '',
    numberRules: NUMBER_RULE_DEFAULTS,
    isEnabled: true,
    description: '',
    numbers: [],
    createdAt: 0,
    updatedAt: 0,
  });
  const campaign = addCampaign(tables, { status: 'running', lineIds: [1], maxConcurrency: 9 });
  for (const phoneNumber of ['13800000001', '13800000002', '13800000003'])
    addContact(tables, { campaignId: campaign.id, phoneNumber, metadata: { origination_uuid: '1' } });
  const registry = simulatedSlotRegistry({ now, leaseMs: 30_000 });
  await openRegistry(registry);
  const store = simulatedDialStore(tables);
  const dials = { ...store, ...dialFaults(store) };
  const slots = { ...registry, ...slotFaults };
  const originated: string[] = [];
  const base = { clock: systemClock, log: silentLog };
  const deps = {
    ...base,
    dials,
    slots,
    withdrawals: createWithdrawals({ dials, slots, ...base }),
    runtimes: { isOpenEnded: async () => true, hasUnregistered: () => true },
    dialGate: { refusal: () => null, stopping: new AbortController().signal },
    backlog: createDialBacklog(systemClock),
    leftOut: { record: () => Promise.resolve() },
    switchPort: {
      cells: () => [{ cellId: 'c', isEnabled: true, state: 'up', since: 0, maxConcurrency: 0, maxOriginatesPerSecond: 1_000 }],
      originate: async ({ requestId, sendBefore }: { requestId: string; sendBefore: number }) => {
        if (systemClock.monotonic() > sendBefore) return { kind: 'not_sent', reason: 'deadline', replyText: '' };
        originated.push(requestId);
        return { kind: 'accepted', replyText: '+OK' };
      },
    },
    calls: new ActorHost<CallState, CallActorEvent>(
      { store: new MemoryActorStore(), random: seededRandom(1), ids: systemIds, ...base },
      { aggregate: callAggregate(), executors: {} },
    ),
    writer: attemptWriter(dials, systemClock),
    campaignHost: campaignHostOver({ ...simulatedCampaignActorStore(tables), ...(commit && { commit }) }),
    locks: simulatedLocks({ now, ids: systemIds }),
    preDial: { ask: async () => null },
    notes: { ended: () => undefined },
    wake: { campaign: () => undefined },
    events: { record: recordEvent ?? (async () => ({})) },
    ids: systemIds,
    settings: {
      timeZone: 'Asia/Shanghai',
      region: 'CN',
      allowedShortCodes: [],
      instanceId: 'n1',
      batchSize: 20,
      sendDeadlineMs: 2_000,
      manualWaitMs: 10_000,
      reservationLeaseMs: 30_000,
      lockTtlMs: 10_000,
      ringbackTimeoutMs: null,
      breaker: BREAKER_DEFAULTS,
      graceMs: 30_000,
      resultGraceMs: 60_000,
      care: RUNTIME_CARE,
      originateTimeoutSeconds: () => 30,
    },
  } as unknown as TurnApp;
  const turn = async () => {
    const { dialling } = await runTurn(deps, campaign.id);
    await dialling;
  };
  return { turn, tables, originated };
}

test('claimed contacts are dialled even if the phase could not be written', async () => {
  const { turn, originated } = await turnWith({ commit: away('DATABASE_UNAVAILABLE') });
  await turn();
  expect(originated).toHaveLength(3);
});

test('claimed contacts are dialled even if the cache did not take back unused slots', async () => {
  const { turn, originated } = await turnWith({ slots: { release: away('CACHE_UNAVAILABLE') } });
  await turn();
  expect(originated).toHaveLength(3);
});

test('a dial whose permission ends between its mark and its turn at the switch does not leave [D7.15]', async () => {
  let late: string | undefined;
  const { turn, originated } = await turnWith({
    dials: dials => ({
      async markDialing(requestIds) {
        late ??= requestIds[0];
        return (await dials.markDialing(requestIds)).map(marked => (marked.requestId === late ? { ...marked, validForMs: 0 } : marked));
      },
    }),
  });
  await turn();
  expect(originated).toHaveLength(2);
  expect(originated).not.toContain(late);
});

test('the findings of a turn are written even if the breaker has counted a dial meanwhile', async () => {
  let isCounted = false;
  const { turn, tables } = await turnWith({
    dials: dials => ({
      async claim(request) {
        for (const row of isCounted ? [] : tables.campaigns.values()) row.actorVersion += 1;
        isCounted = true;
        return dials.claim(request);
      },
    }),
  });
  await turn();
  expect([...tables.campaigns.values()].map(({ phase, phaseReason }) => [phase, phaseReason])).toEqual([
    ['DRAINING', '等待 3 个进行中的通话结束'],
  ]);
});

test('a claim whose reply is lost is taken back at once instead of after its lease [A6 step 3]', async () => {
  const { turn, tables, originated } = await turnWith({
    dials: dials => ({
      async claim(request) {
        await dials.claim(request);
        return away('DATABASE_UNAVAILABLE')();
      },
    }),
  });
  await expect(turn()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  await new Promise(setImmediate);
  expect([...tables.contacts.values()].map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
  expect(originated).toEqual([]);
});

test('dialling continues if left-out variables cannot be recorded: an unhandled rejection would end the process', async () => {
  const { turn, originated } = await turnWith({ recordEvent: away('DATABASE_UNAVAILABLE') });
  await turn();
  expect(originated).toHaveLength(3);
});
