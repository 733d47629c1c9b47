import { sql } from 'kysely';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type AttemptRow, type DispatchRig, everybody, maxAtOnce, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { loopStall } from '#test/support/loop-stall.ts';
import { waitUntil } from '#test/support/wait-until.ts';

/** Longest time from the response of an edit to the last dial against it (D8.6), in ms. */
const EDIT_BINDS_MS = 1_000;

let rig: DispatchRig;
const stall = loopStall();
afterEach(async () => {
  stall.stop();
  await rig.close();
});

function countBy<T>(rows: readonly T[], key: (row: T) => string | null): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(rows, row => String(key(row)))].map(([name, group]) => [name, group.length]));
}

/** Attempts without those that missed their instant on a busy machine: those were withdrawn before the originate, and booked again. */
async function dialled(campaignId: number): Promise<AttemptRow[]> {
  return (await rig.attempts(campaignId)).filter(({ status }) => status !== 'cancelled');
}

const dialsAfter = (at: number) => rig.simulator.record().originates.filter(originate => originate.at > at);

describe('a campaign from start to the last result', () => {
  test('everybody is called once, no limit is exceeded, every slot is free, the campaign completes [D5.2, D7.1, I1, I2, I5]', async () => {
    rig = await startDispatchRig();
    const { id } = await rig.campaign({ contacts: numbers(40), maxConcurrency: 6 });
    await rig.start(id);
    await rig.untilStatus(id, 'completed');
    const attempts = await dialled(id);
    expect(countBy(attempts, attempt => attempt.status)).toEqual({ completed: 40 });
    expect(countBy(attempts, attempt => attempt.callStatus)).toEqual({ completed: 40 });
    expect(maxAtOnce(rig.simulator, 'all')).toBeLessThanOrEqual(6);
    expect(maxAtOnce(rig.simulator, 'destination')).toBe(1);
    expect(rig.simulator.record().totals.originates).toBe(40);
    await waitUntil('slots to drain', async () => (await rig.slotsInUse()) === 0);
  });

  test('two campaigns share the limit of their line', async () => {
    rig = await startDispatchRig();
    const first = await rig.campaign({ contacts: numbers(12), lineMaxConcurrency: 3 });
    const second = await rig.campaign({ contacts: numbers(12, 13_800_000_000), lineIds: [first.lineId] });
    await rig.start(first.id);
    await rig.start(second.id);
    await rig.untilStatus(first.id, 'completed');
    await rig.untilStatus(second.id, 'completed');
    expect(maxAtOnce(rig.simulator, 'all')).toBeLessThanOrEqual(3);
    expect(rig.simulator.record().totals.originates).toBe(24);
  });

  test('redials a busy number after its interval until the attempts are used up [D5.5, D7.1]', async () => {
    rig = await startDispatchRig({ world: everybody('busy') });
    const { id } = await rig.campaign({ contacts: numbers(3), maxRetries: 2, retryIntervalSeconds: 1 });
    await rig.start(id);
    await rig.untilStatus(id, 'completed');
    const attempts = await dialled(id);
    expect(countBy(attempts, attempt => String(attempt.contactId))).toEqual(
      Object.fromEntries(attempts.map(attempt => [String(attempt.contactId), 3])),
    );
    expect(countBy(attempts, attempt => attempt.callStatus)).toEqual({ busy: 9 });
    const detail = await rig.detail(id);
    expect(countBy(detail.data.contacts as { status: string }[], contact => contact.status)).toEqual({ failed: 3 });
    for (const calls of Map.groupBy(rig.simulator.record().channels, channel => channel.number).values()) {
      const pauses = calls.slice(1).map((call, index) => call.startedAt - (calls[index]?.endedAt ?? Number.NaN));
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(950);
    }
  });

  test('a number with letters fails without reaching the switch [D4.5]', async () => {
    rig = await startDispatchRig();
    const { id } = await rig.campaign({ contacts: ['abc-def', ...numbers(2)] });
    await rig.start(id);
    await rig.untilStatus(id, 'completed');
    expect(countBy(await dialled(id), attempt => attempt.callStatus)).toEqual({ completed: 2, invalid_number: 1 });
    expect(rig.simulator.record().totals.originates).toBe(2);
  });

  test('emergency numbers and service codes are not dialled, with that reason, in any spelling; the campaign completes [D4.6]', async () => {
    rig = await startDispatchRig();
    const codes = ['110', '0110', '12345', '10086', '021-95588'];
    const { id } = await rig.campaign({ contacts: [...codes, ...numbers(1)], maxRetries: 3 });
    await rig.start(id);
    await rig.untilStatus(id, 'completed');
    expect(rig.simulator.record().channels.map(({ number }) => number)).toEqual(numbers(1));
    const { contacts } = (await rig.detail(id)).data as { contacts: { phoneNumber: string; holdReason: string | null }[] };
    expect(
      contacts
        .filter(({ holdReason }) => holdReason === 'short_code')
        .map(({ phoneNumber }) => phoneNumber)
        .sort(),
    ).toEqual(codes.sort());
  });

  test('several spellings of one number are one contact, dialled once in the format of its line [D4.5, D8.7]', async () => {
    rig = await startDispatchRig();
    const spelled = ['013800006100', '13800006100', '+86(0)138 0000 6100', '17951 138-0000-6100', '+862161234567', '(021) 6123 4567 转8'];
    const { id } = await rig.campaign({ contacts: spelled });
    await rig.start(id);
    await rig.untilStatus(id, 'completed');
    expect(
      rig.simulator
        .record()
        .channels.map(({ number }) => number)
        .sort(),
    ).toEqual(['02161234567', '13800006100']);
  });

  test('a line dials in its number format [D4.5]', async () => {
    rig = await startDispatchRig();
    const { id, lineId } = await rig.campaign({ contacts: ['013800006100', '021-61234567'] });
    expect((await rig.ask('PATCH', `/api/lines/${lineId}`, { numberFormat: 'e164_without_plus' })).status).toBe(200);
    await rig.start(id);
    await rig.untilStatus(id, 'completed');
    expect(
      rig.simulator
        .record()
        .channels.map(({ number }) => number)
        .sort(),
    ).toEqual(['8613800006100', '862161234567']);
  });

  test('a line with an unusable dial string fails its dials instead of claiming them for ever [D7.1]', async () => {
    rig = await startDispatchRig();
    const line = await rig.ask('POST', '/api/lines', {
      name: '两条腿的线路',
      code: 'two-legs',
      dialStringTemplate: 'sofia/gateway/gw1/{{destinationNumber}}',
      maxConcurrency: 5,
      allocationMode: 'single_shared',
    });
    // Like a row that is older than the rule.
    await rig.server.running.context.database.rows(sql`update line set dial_string_template = dial_string_template || '|sofia/gateway/gw2/100'
      where id = ${line.data.line.id}`);
    const { id } = await rig.campaign({ contacts: numbers(3), lineIds: [line.data.line.id] });
    await rig.start(id);
    await rig.untilStatus(id, 'completed');
    const attempts = await dialled(id);
    expect(countBy(attempts, attempt => attempt.status)).toEqual({ failed: 3 });
    expect(rig.simulator.record().totals.originates).toBe(0);
    await waitUntil('slots to drain', async () => (await rig.slotsInUse()) === 0);
  });

  test('an answered call without a result completes with what is known, and releases its slot [D7.8]', async () => {
    rig = await startDispatchRig({ reportsResults: false, config: { dispatch: { resultGraceSeconds: 1 } } });
    const { id } = await rig.campaign({ contacts: numbers(2) });
    await rig.start(id);
    await rig.untilStatus(id, 'completed');
    expect(countBy(await dialled(id), attempt => attempt.status)).toEqual({ completed: 2 });
    await waitUntil('slots to drain', async () => (await rig.slotsInUse()) === 0);
    const { data } = await rig.server.api('GET', '/api/runtime/overview', undefined, rig.token);
    expect((data.recentEvents as { type: string }[]).map(event => event.type)).toContain('call.result_incomplete');
  });
});

describe('changes while it runs', () => {
  test('pausing stops new dials within 1 s and returns claims; live calls go on; resuming finishes [D5.2, D8.6]', async () => {
    rig = await startDispatchRig();
    const { id } = await rig.campaign({ contacts: numbers(40), callIntervalMs: 60 });
    await rig.start(id);
    await waitUntil('some dials', () => rig.simulator.record().totals.originates >= 5);
    stall.start();
    await rig.server.api('PATCH', `/api/campaigns/${id}`, { status: 'paused' }, rig.token);
    const pausedAt = Date.now();
    await waitUntil('everything in flight to end', async () => {
      const { data } = await rig.server.api('GET', '/api/runtime/overview', undefined, rig.token);
      return Number(data.activeContacts) === 0;
    });
    expect(dialsAfter(pausedAt + EDIT_BINDS_MS + stall.longestMs())).toEqual([]);
    expect(rig.simulator.record().totals.originates).toBeLessThan(40);
    await rig.start(id);
    await rig.untilStatus(id, 'completed');
    expect(rig.simulator.record().totals.originates).toBe(40);
    expect(maxAtOnce(rig.simulator, 'destination')).toBe(1);
  });

  test('a number on the do-not-call list is never dialled, in any spelling [D8.6, D8.7, I3]', async () => {
    rig = await startDispatchRig();
    const [blocked = '', ...others] = numbers(6);
    await rig.server.api('POST', '/api/dnc', { phoneNumber: `+86 ${blocked}`, reason: '客户要求' }, rig.token);
    const { id } = await rig.campaign({ contacts: [blocked, ...others] });
    await rig.start(id);
    await rig.untilStatus(id, 'completed');
    expect(rig.simulator.record().channels.map(channel => channel.number)).not.toContain(blocked);
    expect(rig.simulator.record().totals.originates).toBe(5);
  });

  test('a number added while claims wait is not dialled [D8.6]', async () => {
    rig = await startDispatchRig({ world: everybody('busy') });
    const list = numbers(30);
    const last = list.at(-1) ?? '';
    const { id } = await rig.campaign({ contacts: list, callIntervalMs: 100 });
    await rig.start(id);
    await waitUntil('the first dial', () => rig.simulator.record().totals.originates >= 1);
    await rig.server.api('POST', '/api/dnc', { phoneNumber: last }, rig.token);
    await rig.untilStatus(id, 'completed');
    expect(rig.simulator.record().channels.map(channel => channel.number)).not.toContain(last);
    expect(rig.simulator.record().totals.originates).toBe(29);
  });

  test('a block policy stops dials decided after it; deleting it lets them go on [D8.6]', async () => {
    rig = await startDispatchRig({ world: everybody('busy') });
    const { id } = await rig.campaign({ contacts: numbers(40), callIntervalMs: 80 });
    await rig.start(id);
    await waitUntil('the first dials', () => rig.simulator.record().totals.originates >= 3);
    const year = new Date().getUTCFullYear();
    const dates = [-1, 0, 1].map(days => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
    const policy = {
      name: `停呼 ${year}`,
      scope: 'global',
      type: 'blocked_dates',
      action: 'block',
      priority: 1,
      config: { dates },
      isEnabled: 1,
    };
    stall.start();
    const created = await rig.server.api('POST', '/api/policies', policy, rig.token);
    const createdAt = Date.now();
    await waitUntil('the phase', async () => (await rig.detail(id)).data.campaign.phase === 'BLOCKED_BY_POLICY');
    expect(dialsAfter(createdAt + EDIT_BINDS_MS + stall.longestMs())).toEqual([]);
    expect(rig.simulator.record().totals.originates).toBeLessThan(40);
    await rig.server.api('DELETE', `/api/policies/${created.data.policy.id}`, undefined, rig.token);
    await rig.untilStatus(id, 'completed');
    expect(rig.simulator.record().totals.originates).toBe(40);
  });

  test('cancelling a batch returns undialled contacts to pending; dialled calls go on [D7.3]', async () => {
    rig = await startDispatchRig();
    const { id } = await rig.campaign({ contacts: numbers(30), callIntervalMs: 300 });
    await rig.start(id);
    await waitUntil('the first dial', () => rig.simulator.record().totals.originates >= 1);
    const batches = await rig.server.api('GET', `/api/campaigns/${id}/batches`, undefined, rig.token);
    const batchId = Number(batches.data.rows[0].id);
    await rig.server.api('PATCH', `/api/campaigns/${id}`, { status: 'paused' }, rig.token);
    const again = await rig.server.api('POST', `/api/campaigns/${id}/batches/${batchId}/cancel`, {}, rig.token);
    expect([200, 409]).toContain(again.status);
    await waitUntil('calls to end', async () => (await rig.slotsInUse()) === 0);
    const contacts = await rig.server.api('GET', `/api/campaigns/${id}/contacts?status=pending&pageSize=200`, undefined, rig.token);
    expect(Number(contacts.data.total)).toBe(30 - rig.simulator.record().totals.originates);
    const third = await rig.server.api('POST', `/api/campaigns/${id}/batches/${batchId}/cancel`, {}, rig.token);
    expect(third.status).toBe(409);
  });

  test('outside its working hours a campaign waits and returns when they begin [D5.1, I4]', async () => {
    rig = await startDispatchRig();
    const minutes = (offset: number) => {
      const local = new Date(Date.now() + 8 * 3_600_000 + offset * 60_000);
      return local.toISOString().slice(11, 16);
    };
    const { id } = await rig.campaign({ contacts: numbers(2), workdayStart: minutes(60), workdayEnd: minutes(120) });
    await rig.start(id);
    const campaign = await waitUntil('the phase', async () => {
      const { data } = await rig.detail(id);
      return data.campaign.phase === 'WAITING_WINDOW' ? data.campaign : null;
    });
    expect(Date.parse(campaign.nextWakeAt)).toBeGreaterThan(Date.now());
    expect(rig.simulator.record().totals.originates).toBe(0);
  });
});
