import { RUNTIME_CARE } from '#protocol/runtime-care.ts';
import { expect, test } from '@jest/globals';
import { callStage } from '#actors/call/stage.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { seededRandom } from '#kernel/random.ts';
import { ActorHost } from '#platform/actor-host/actor-host.ts';
import { applyResult } from '#calls/apply-result.ts';
import { adoptCall } from '#calls/find-call.ts';
import { type CallActorEvent, callAggregate, type CallState } from '#calls/call-actor.ts';
import type { ResultReport } from '#outcomes/outcome-store.ts';
import { quietEvents } from '#test/simulation/quiet-ports.ts';
import { MemoryActorStore } from '#test/support/memory-actor-store.ts';
import { addCampaign, addContact, dialTables, updateAttempt } from '#test/support/stores/dial-tables.ts';
import { simulatedDialStore } from '#test/support/stores/simulated-dial-store.ts';

const REQUEST_ID = '00000000-0000-4000-8000-000000000001';
const RESULT = {
  requestId: REQUEST_ID,
  attemptId: null,
  callStatus: 'completed',
  startedAt: null,
  answeredAt: null,
  endedAt: null,
  durationSeconds: null,
  hangupCause: null,
  hangupBy: 'bot',
  recordingUrl: null,
  classification: null,
  intent: null,
  recognizedText: null,
  optOut: false,
  optOutReason: null,
  transcript: [],
  payload: null,
} satisfies ResultReport;
const NOW = 1_000_000;
const ANSWERED_AT = 990_000;

interface Given {
  isAnswered: boolean;
  resultComes?: boolean;
  /** Name of the runtime that the customer heard last; false: none. */
  heard?: string | false;
  /** The call is adopted because a result with this epoch arrives. */
  reports?: { epoch: number };
}

/** Adopts a call whose live state was lost; returns its actor and the effects that the actor requested. */
async function adopted({ isAnswered, resultComes = false, heard, reports }: Given) {
  const tables = dialTables(() => NOW);
  const campaign = addCampaign(tables, { status: 'running' });
  addContact(tables, { campaignId: campaign.id, phoneNumber: '13800000001' });
  const dials = simulatedDialStore(tables);
  await dials.claim({
    campaignId: campaign.id,
    grants: [{ requestId: REQUEST_ID, lineId: 1, number: null, cellId: 'cell-1', startsInMs: 0 }],
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
  await dials.markDialing([REQUEST_ID]);
  const attempt = tables.byRequest.get(REQUEST_ID);
  if (attempt && isAnswered) updateAttempt(tables, attempt, { status: 'answered', answeredAt: ANSWERED_AT });
  if (heard !== undefined) await dials.recordProgress([{ requestId: REQUEST_ID, heard }]);
  const asked: string[] = [];
  const executors = Object.fromEntries(
    ['probeSwitch', 'recordAnswered', 'startRuntime', 'notifyHangup', 'settleAttempt', 'releaseSlot', 'killChannel'].map(type => [
      type,
      async () => void asked.push(type),
    ]),
  );
  const calls = new ActorHost<CallState, CallActorEvent>(
    { store: new MemoryActorStore(), clock: systemClock, random: seededRandom(1), ids: systemIds, log: silentLog },
    { aggregate: callAggregate(), executors },
  );
  const settings = {
    graceMs: 30_000,
    resultGraceMs: 60_000,
    care: RUNTIME_CARE,
    runtime: 'nats' as const,
    originateTimeoutSeconds: () => 30,
  };
  // Simulates a result that arrives between the read of the attempt and the creation of its actor.
  const loadDetails: typeof dials.loadDetails = async ids => {
    if (attempt && resultComes) updateAttempt(tables, attempt, { status: 'completed', resultAt: ANSWERED_AT + 1 });
    return dials.loadDetails(ids);
  };
  const deps = { dials: { ...dials, loadDetails }, calls, clock: systemClock, settings };
  if (reports === undefined) await adoptCall(deps, REQUEST_ID);
  else
    await applyResult(
      { ...deps, events: quietEvents(() => NOW), log: silentLog, liveCalls: { read: async () => [] } },
      { ...RESULT, ...reports },
    );
  await calls.idle();
  const stateNow = async () => {
    const found = await calls.find(REQUEST_ID);
    if (!found) throw new Error('the call was not taken up');
    return found.state;
  };
  return { calls, asked, stateNow };
}

test('an answered call becomes live again without a second start of the runtime [A6 step 10]', async () => {
  const { asked, stateNow } = await adopted({ isAnswered: true });
  const { value, context } = await stateNow();
  expect(callStage({ value, context })).toBe('live');
  expect(context.answeredAt).toBe(ANSWERED_AT);
  expect(asked).toEqual(['probeSwitch']);
});

test('adoption restores the runtime heard last, or the time since the customer heard one [I9, D7.11]', async () => {
  const known = async (heard?: string | false) => {
    const { stateNow } = await adopted({ isAnswered: true, ...(heard === undefined ? {} : { heard }) });
    const { heardRuntime, unheardMs } = (await stateNow()).context;
    return { heardRuntime, unheardMs };
  };
  expect(await known()).toEqual({ heardRuntime: undefined, unheardMs: NOW - ANSWERED_AT });
  expect(await known('runtime-1')).toEqual({ heardRuntime: 'runtime-1', unheardMs: undefined });
  expect(await known(false)).toEqual({ heardRuntime: undefined, unheardMs: 0 });
});

test('a result with an epoch that was never handed out is refused although the live state is lost; an earlier epoch counts [D7.11]', async () => {
  await expect(adopted({ isAnswered: true, reports: { epoch: 1_000_000 } })).rejects.toMatchObject({ code: 'STALE_EPOCH' });
  const { stateNow } = await adopted({ isAnswered: true, reports: { epoch: 1 } });
  expect((await stateNow()).value).toEqual({ ended: { closing: 'waiting' } });
});

test('a call whose result arrives during the adoption is over: nothing else would notify its actor', async () => {
  const { stateNow } = await adopted({ isAnswered: true, resultComes: true });
  expect((await stateNow()).value).toEqual({ ended: { closing: 'waiting' } });
});

test("epochs continue above those of the lost live state, whatever the instance's clock says", async () => {
  const { stateNow } = await adopted({ isAnswered: true });
  const { epochBase = 0 } = (await stateNow()).context;
  expect(epochBase).toBeGreaterThanOrEqual(1_000);
  expect(epochBase).toBeLessThan(100_000);
});

test('an answered call without a channel waits for its result [D7.8]', async () => {
  const { calls, asked, stateNow } = await adopted({ isAnswered: true });
  const { context } = await stateNow();
  await calls.send(REQUEST_ID, { type: 'channelMissing', sightings: context.sightings ?? 0 }, 'probe:answer');
  await calls.idle();
  expect((await stateNow()).value).toBe('settling');
  expect(asked).not.toContain('settleAttempt');
});

test('a dial of unknown outcome first probes the switch [A6 step 6]', async () => {
  const { asked, stateNow } = await adopted({ isAnswered: false });
  const { value, context } = await stateNow();
  expect(callStage({ value, context })).toBe('dialing');
  expect(asked).toEqual(['probeSwitch']);
});
