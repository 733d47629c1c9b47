import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ManagementApi } from '#test/contract/campaigns/builders.ts';
import { ask, askFor } from './graphql-client.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

// oxlint-disable-next-line typescript/no-explicit-any
const run = (query: string, variables: object = {}): Promise<any> => askFor(api.server, api.admin, query, variables);
const CREATE = 'mutation($input: CreatePolicyInput!) { createPolicy(input: $input) { ... on Policy { id databaseId } } }';
const make = async (input: object) => (await run(CREATE, { input: { scope: 'GLOBAL', ...input } })).createPolicy;
const CALENDAR = `query($campaignId: ID, $from: String, $days: Int) { dialingDays(campaignId: $campaignId, from: $from, days: $days) {
  timeZone days { date weekday open { start end opensAt } openByPolicies { start end } openByCampaign { start end } closedBy { id } } } }`;
const EXPLAIN = `query($campaignId: ID, $at: DateTime) { explainPolicy(campaignId: $campaignId, phoneNumber: "13912345678", at: $at) {
  allowed reason skipReason nextEligibleAt matchedPolicies { id } } }`;

describe('when dialling is open, and whether a number would be dialled [D5.3, D8.1, D8.3]', () => {
  test('the calendar has the time zone and what closes a day; the check returns when dialling opens again', async () => {
    const holiday = await make({ name: '元旦', settings: { holidayBlocklist: { dates: ['2027-01-01'] } } });
    await make({ name: '白天', settings: { dailyWindow: { start: '09:00', end: '20:00' } } });
    const { id: campaignId } = await api.campaign({ workdayStart: '10:00', workdayEnd: '18:00' });

    const { dialingDays } = await run(CALENDAR, { from: '2027-01-01', days: 2 });
    expect(dialingDays).toEqual({
      timeZone: 'Asia/Shanghai',
      days: [
        {
          date: '2027-01-01',
          weekday: 5,
          open: [],
          openByPolicies: [],
          openByCampaign: [{ start: '00:00', end: '24:00' }],
          closedBy: [{ id: holiday.id }],
        },
        {
          date: '2027-01-02',
          weekday: 6,
          open: [{ start: '09:00', end: '20:00', opensAt: '2027-01-02T01:00:00.000Z' }],
          openByPolicies: [{ start: '09:00', end: '20:00' }],
          openByCampaign: [{ start: '00:00', end: '24:00' }],
          closedBy: [],
        },
      ],
    });
    const own = await run(CALENDAR, { campaignId, from: '2027-01-02', days: 1 });
    expect(own.dialingDays.days[0].open).toEqual([{ start: '10:00', end: '18:00', opensAt: '2027-01-02T02:00:00.000Z' }]);

    const at = '2027-01-01T12:00:00+08:00';
    expect((await run(EXPLAIN, { at })).explainPolicy).toEqual({
      allowed: false,
      reason: expect.stringContaining('元旦'),
      skipReason: 'BLOCKED_DATE',
      nextEligibleAt: '2027-01-02T01:00:00.000Z',
      matchedPolicies: expect.arrayContaining([{ id: holiday.id }]),
    });
    expect((await run(EXPLAIN, { at, campaignId })).explainPolicy.nextEligibleAt).toBe('2027-01-02T02:00:00.000Z');
    const open = await run(EXPLAIN, { at: '2027-01-02T12:00:00+08:00' });
    expect(open.explainPolicy).toMatchObject({ allowed: true, reason: null, skipReason: null, nextEligibleAt: null });
    await api.server.running.context.database.run(sql`delete from policy`);
  });

  test('28 days from today by default', async () => {
    const { days } = (await run(CALENDAR)).dialingDays;
    expect(days).toHaveLength(28);
    expect(days[0].date).toBe(Temporal.Now.plainDateISO('Asia/Shanghai').toString());
  });

  test.each([
    [{ from: '2027-02-30' }, 'from'],
    [{ from: '2099-01-01' }, 'from'],
    [{ days: 0 }, 'days'],
    [{ days: 101 }, 'days'],
    [{ campaignId: 'x' }, 'campaignId'],
  ])('%j is refused with the invalid argument', async (variables, field) => {
    const { errors } = await ask(api.server, api.admin, CALENDAR, variables);
    expect(errors[0]?.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field });
  });

  test('an unknown campaign is not found, by either', async () => {
    for (const query of [CALENDAR, EXPLAIN]) {
      const { errors } = await ask(api.server, api.admin, query, { campaignId: '99999999' });
      expect(errors[0]?.extensions.code).toBe('NOT_FOUND');
    }
  });
});
