import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { askFor } from '../graphql/graphql-client.ts';

let server: TestServer;
let admin: string;
let supervisor: string;
let agent: string;
let channelId: number;
let reportId: number;
beforeAll(async () => {
  server = await startTestServer();
  [admin, supervisor, agent] = [await server.loginAs('admin'), await server.loginAs('supervisor'), await server.loginAs('agent')];
  const { data } = await server.api(
    'POST',
    '/api/webhooks',
    { name: '日报群', kind: 'feishu', url: 'https://hooks.invalid/x', types: ['alert.raised'] },
    admin,
  );
  channelId = data.webhook.id;
  // Its robot does not exist: the message stays in the queue.
  await server.api('PATCH', `/api/webhooks/${channelId}`, { status: 'paused' }, admin);
  reportId = (await api('POST', '/api/reports/saved', { name: '昨天', question: 'm=dials&by=outcome' })).data.report.id;
});
afterAll(() => server.close());

const PATH = '/api/report-schedules';
const api = (method: string, path: string, body?: unknown, token = supervisor) => server.api(method, path, body, token);
const body = (changes: object = {}) => ({ name: '早报', reportId, cron: '0 8 * * 1-5', span: 'yesterday', channelId, ...changes });
const make = async (changes: object = {}, token = supervisor) => (await api('POST', PATH, body(changes), token)).data.schedule;

describe('a schedule [D14.8]', () => {
  test('is made in the business time zone, changed, switched off and deleted', async () => {
    const made = await make();
    expect(made).toMatchObject({
      timeZone: 'Asia/Shanghai',
      language: 'zh',
      isEnabled: 1,
      export: null,
      reportName: '昨天',
      channelName: '日报群',
      lastRunAt: null,
      lastState: null,
    });
    expect(new Date(made.nextRunAt).getUTCHours()).toBe(0);
    const changed = (await api('PATCH', `${PATH}/${made.id}`, { cron: '30 9 * * *', timeZone: 'UTC' })).data.schedule;
    expect(changed.nextRunAt).toMatch(/T09:30:00/);
    expect((await api('PATCH', `${PATH}/${made.id}`, { isEnabled: 0 })).data.schedule).toMatchObject({ isEnabled: 0, nextRunAt: null });
    expect((await api('DELETE', `${PATH}/${made.id}`)).status).toBe(200);
    expect((await api('DELETE', `${PATH}/${made.id}`)).status).toBe(404);
  });

  test('is its maker’s; administrators see and change all, agents none', async () => {
    const made = await make();
    const other = await make(
      { reportId: (await api('POST', '/api/reports/saved', { name: '自己的', question: 'm=dials' }, admin)).data.report.id },
      admin,
    );
    const seen = async (token: string) => (await api('GET', PATH, undefined, token)).data.rows.map(({ id }: { id: number }) => id);
    expect(await seen(admin)).toEqual(expect.arrayContaining([made.id, other.id]));
    expect(await seen(supervisor)).not.toContain(other.id);
    expect((await api('PATCH', `${PATH}/${other.id}`, { name: 'x' })).status).toBe(404);
    // The administrator does not see the report.
    expect((await api('PATCH', `${PATH}/${made.id}`, { isEnabled: 0 }, admin)).status).toBe(200);
    expect((await api('POST', PATH, body(), agent)).status).toBe(403);
  });

  test('of an export keeps it as it was asked for, and a report takes its place', async () => {
    const asked = { kind: 'contacts', format: 'xlsx', contacts: { isHeld: 1 } };
    const made = await make({ reportId: undefined, span: undefined, export: asked });
    expect(made).toMatchObject({ reportId: null, span: null, export: { ...asked, isMasked: 0 } });
    const changed = (await api('PATCH', `${PATH}/${made.id}`, { reportId, span: 'last_week' })).data.schedule;
    expect(changed).toMatchObject({ reportId, span: 'last_week', export: null });
  });

  test.each([
    [{ cron: '* * * * *' }, 'cron', '5 分钟'],
    [{ cron: '0 8 * *' }, 'cron', '五段'],
    [{ cron: '0 0 30 2 *' }, 'cron', '没有会到来的时间'],
    [{ cron: '0 '.repeat(60) }, 'cron', '100'],
    [{ timeZone: 'Mars/Base' }, 'timeZone', '时区'],
    [{ channelId: 999_999 }, 'channelId', '不存在'],
    [{ reportId: 999_999 }, 'reportId', '不存在'],
    [{ span: null }, 'span', '不能缺少'],
    [{ span: 'tomorrow' }, 'span', ''],
    [{ reportId: null }, 'reportId', 'export'],
    [{ export: { kind: 'contacts' } }, 'reportId', 'export'],
    [{ reportId: null, export: { kind: 'contacts', contacts: { campaignId: 1, notDialedReason: 'paused' } } }, 'notDialedReason', ''],
  ])('%j is refused by its field', async (changes, field, words) => {
    const { status, msg } = await api('POST', PATH, body(changes));
    expect([status, msg]).toEqual([400, expect.stringContaining(field)]);
    expect(msg).toContain(words);
  });

  test('asks for the permission of what it exports', async () => {
    const asked = { reportId: undefined, export: { kind: 'audit_log' } };
    expect((await api('POST', PATH, body(asked), agent)).status).toBe(403);
    expect((await api('POST', PATH, body(asked))).status).toBe(200);
  });

  test('runs at once when somebody asks for it, and keeps how it went', async () => {
    const { id } = await make({ isEnabled: 0 });
    const { run } = (await api('POST', `${PATH}/${id}/run`)).data;
    expect(run).toMatchObject({ scheduleId: id, isManual: 1, missed: 0, state: 'waiting' });
    const [row] = await waitUntil('the run to end', async () => {
      const { rows } = (await api('GET', `${PATH}/${id}/runs`)).data;
      return rows[0].state === 'waiting' ? null : rows;
    });
    expect(row).toMatchObject({ id: run.id, state: 'sent', failure: null, deliveryState: 'waiting' });
    expect((await api('GET', PATH)).data.rows.find((each: { id: number }) => each.id === id)).toMatchObject({
      lastState: 'sent',
      lastFailure: null,
    });
    expect((await api('GET', `${PATH}/999999/runs`)).status).toBe(404);
  });

  test('shows its next five times before it is kept', async () => {
    const { times } = (await api('GET', '/api/report-schedule-times?cron=0+8+1+*+*&timeZone=UTC')).data;
    expect(times).toHaveLength(5);
    for (const time of times) expect(time).toMatch(/-01T08:00:00\.000Z$/);
    expect((await api('GET', '/api/report-schedule-times?cron=nonsense')).status).toBe(400);
  });

  test('is the same in GraphQL', async () => {
    const { channels, times } = await askFor(
      server,
      supervisor,
      '{ channels: reportChannels { databaseId name kind status } times: reportScheduleTimes(cron: "0 8 * * *") }',
    );
    expect(channels).toContainEqual({ databaseId: String(channelId), name: '日报群', kind: 'FEISHU', status: 'PAUSED' });
    expect(times).toHaveLength(5);
    const { made } = await askFor(
      server,
      supervisor,
      `mutation($input: CreateReportScheduleInput!) { made: createReportSchedule(input: $input) {
         ... on ReportSchedule { databaseId span export language channelName createdBy { username } } ... on InputRefused { message } } }`,
      {
        input: {
          name: '周报',
          cron: '0 8 * * 1',
          channelId: String(channelId),
          span: 'LAST_WEEK',
          export: { kind: 'CONTACTS', format: 'CSV', isMasked: true, contacts: { isHeld: true } },
        },
      },
    );
    expect(made).toMatchObject({
      span: 'LAST_WEEK',
      language: 'ZH',
      channelName: '日报群',
      export: { kind: 'contacts', isMasked: 1, contacts: { isHeld: 1 } },
    });
    const change = `mutation($id: ID!) { made: updateReportSchedule(id: $id, input: { span: null, isEnabled: false }) { ... on ReportSchedule { span nextRunAt } } }`;
    expect(await askFor(server, supervisor, change, { id: made.databaseId })).toEqual({ made: { span: null, nextRunAt: null } });
    const { run } = await askFor(
      server,
      supervisor,
      'mutation($id: ID!) { run: runReportSchedule(id: $id) { ... on ReportScheduleRun { isManual state } } }',
      { id: made.databaseId },
    );
    expect(run).toMatchObject({ isManual: true });
    const { runs } = await askFor(
      server,
      supervisor,
      'query($id: ID!) { runs: reportScheduleRuns(scheduleId: $id, first: 5) { totalCount nodes { dueAt } } }',
      {
        id: made.databaseId,
      },
    );
    expect(runs).toMatchObject({ totalCount: 1 });
    await askFor(server, supervisor, 'mutation($id: ID!) { deleteReportSchedule(id: $id) { __typename } }', { id: made.databaseId });
  });
});
