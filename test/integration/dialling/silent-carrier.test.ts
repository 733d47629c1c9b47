import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { DEFAULT_ROUTES } from '#tools/switch/dial-string.ts';
import type { CarrierFault } from '#tools/switch/troubles.ts';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const PEOPLE = 60;
const CONCURRENCY = 5;
const PROBE_DIALS = 3;
const circuitBreaker = {
  minimumDials: 20,
  failurePercent: 50,
  windowSeconds: 120,
  firstPauseSeconds: 2,
  longestPauseSeconds: 3,
  probeDials: PROBE_DIALS,
};

let rig: DispatchRig;
beforeEach(async () => {
  rig = await startDispatchRig({
    world: everybody('busy'),
    routes: { ...DEFAULT_ROUTES, gateways: { gw1: 'up' } },
    config: { dispatch: { circuitBreaker } },
    originateTimeoutSeconds: 2,
  });
});
afterEach(() => rig.close());

const carrier = (fault: CarrierFault | null) => rig.simulator.faults.troubles.carrier('gw1', fault);
const originates = () => rig.simulator.record().totals.originates;

async function events(type: string) {
  const { data } = await rig.ask('GET', '/api/runtime/overview');
  return (data.recentEvents as { type: string; level: string; campaignId: number; message: string; detail: unknown }[]).filter(
    event => event.type === type,
  );
}

/** Attempts that count against each contact. */
async function charged(campaignId: number) {
  const { database } = rig.server.running.context;
  return database.rows(sql<{ attemptCount: number; frequency: number }>`
    select sum(attempt_count) filter (where status <> 'submitted') as "attemptCount",
      (select count(*) from attempt a where a.campaign_id = ${campaignId} and a.status = 'failed' and a.dialing_at is not null and not a.is_line_fault) as frequency
    from contact where campaign_id = ${campaignId}`);
}

/** Ends the rest of contacts whose call the line has failed. */
async function endRests(campaignId: number) {
  await rig.server.running.context.database.run(
    sql`update contact set retry_at = now() where campaign_id = ${campaignId} and retry_at > now()`,
  );
}

test.each([
  ['swallows every call', 'silent', 'NO_ANSWER'],
  ['is not there', 'refusing', 'NORMAL_TEMPORARY_FAILURE'],
] as const)(
  'a carrier that %s costs no contact an attempt: few dials, an alert with line and gateway, and everybody is called once after its return [D7.1]',
  async (_what, fault, cause) => {
    const people = numbers(PEOPLE);
    const { id, lineId } = await rig.campaign({ contacts: people, maxConcurrency: CONCURRENCY, maxRetries: 0, retryIntervalSeconds: 1 });
    carrier(fault);
    await rig.start(id);
    const campaign = await waitUntil(
      'the breaker to open',
      async () => {
        const { data } = await rig.detail(id);
        return data.campaign.phase === 'SWITCH_UNREACHABLE' ? data.campaign : null;
      },
      30_000,
    );
    expect(campaign.phaseReason).toContain(cause);
    expect(campaign.phaseReason).toContain('线路对端没有任何应答');
    expect(originates()).toBeLessThanOrEqual(4 * CONCURRENCY);
    const [silent, ...more] = await waitUntil('the alert', async () => {
      const raised = await events('line.silent');
      return raised.length > 0 ? raised : null;
    });
    expect(silent).toMatchObject({ level: 'error', campaignId: id, detail: { lineId, line: '测试线路', gateway: 'gw1' } });
    expect(silent?.message).toMatch(/测试线路.*gw1/);
    expect(more).toEqual([]);
    await waitUntil('the last dials to end', async () => (await rig.slotsInUse()) === 0);

    // Probes go on; none of them costs a contact an attempt, however many there are.
    const before = originates();
    await waitUntil(
      'two tries',
      async () => {
        await endRests(id);
        return originates() > before + PROBE_DIALS;
      },
      40_000,
    );
    expect((await rig.detail(id)).data.campaign.status).toBe('running');
    expect(await charged(id)).toEqual([{ attemptCount: 0, frequency: 0 }]);

    carrier(null);
    await waitUntil(
      'the campaign to complete',
      async () => {
        await endRests(id);
        return (await rig.detail(id)).data.campaign.status === 'completed';
      },
      60_000,
    );
    const reached = (await rig.attempts(id)).filter(attempt => attempt.callStatus === 'busy').map(attempt => attempt.phoneNumber);
    expect(reached.toSorted()).toEqual(people.toSorted());
    expect(await events('line.silent')).toHaveLength(1);
  },
  120_000,
);

test('a refusal by the carrier is an answer: it counts as before [D7.1]', async () => {
  await rig.close();
  rig = await startDispatchRig({ world: { ...everybody('busy'), byNumber: true } });
  const { id } = await rig.campaign({ contacts: ['13900000008', '13900000003', '13900000001'], maxRetries: 0, maxConcurrency: 1 });
  await rig.start(id);
  await rig.untilStatus(id, 'completed');
  expect(await charged(id)).toEqual([{ attemptCount: 3, frequency: 3 }]);
});

test('of two lines the dead one pauses: after a few dials every contact is called on the other, and none is charged an attempt [D7.1]', async () => {
  await rig.close();
  rig = await startDispatchRig({
    world: everybody('busy'),
    routes: { ...DEFAULT_ROUTES, gateways: { gw1: 'up', gw2: 'up' } },
    config: { dispatch: { circuitBreaker: { ...circuitBreaker, minimumDials: 1_000, firstPauseSeconds: 60, longestPauseSeconds: 60 } } },
    originateTimeoutSeconds: 2,
  });
  const { data } = await rig.ask('POST', '/api/lines', {
    name: '另一条线路',
    code: 'line-alive',
    dialStringTemplate: 'sofia/gateway/gw2/{{destinationNumber}}',
    maxConcurrency: CONCURRENCY,
    allocationMode: 'single_shared',
    callerIdNumber: '02166660001',
  });
  const people = numbers(PEOPLE);
  const { id, lineId } = await rig.campaign({
    contacts: people,
    lineMaxConcurrency: CONCURRENCY,
    maxConcurrency: 2 * CONCURRENCY,
    maxRetries: 0,
    retryIntervalSeconds: 1,
  });
  await rig.ask('PATCH', `/api/campaigns/${id}`, { lineIds: [lineId, Number(data.line.id)] });
  rig.simulator.faults.troubles.carrier('gw1', 'silent');
  await rig.start(id);
  await waitUntil(
    'everybody to be called over the other line',
    async () => {
      await endRests(id);
      return (await rig.detail(id)).data.campaign.status === 'completed';
    },
    60_000,
  );
  const overDeadLine = await rig.server.running.context.database.rows(
    sql`select 1 from attempt where line_id = ${lineId} and dialing_at is not null`,
  );
  expect(overDeadLine.length).toBeLessThanOrEqual(3 * CONCURRENCY);
  expect((await rig.attempts(id)).filter(attempt => attempt.callStatus === 'busy')).toHaveLength(PEOPLE);
  expect(await charged(id)).toEqual([{ attemptCount: PEOPLE, frequency: PEOPLE }]);
  expect(await events('line.silent')).toHaveLength(1);
  expect(await events('campaign.blocked')).toEqual([]);
}, 120_000);
