import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { BUSINESS, ManagementApi, MONITORED_BUSINESS, OTHER_BUSINESS, required } from './builders.ts';

let api: ManagementApi;

beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

// oxlint-disable-next-line typescript/no-explicit-any
async function read(id: number): Promise<any> {
  return required(await api.get(`/api/campaigns/${id}`)).campaign;
}

/** A campaign with one contact, which can be started. */
// oxlint-disable-next-line typescript/no-explicit-any
async function startable(overrides: object = {}): Promise<any> {
  const campaign = await api.campaign(overrides);
  await api.contacts(campaign.id, '13800138000');
  return campaign;
}

describe('PATCH /api/campaigns/:id: fields', () => {
  test('accepts any subset and keeps the rest [OCS 4.5]', async () => {
    const campaign = await api.campaign({ description: '旧', workdayStart: '09:00', workdayEnd: '18:00' });
    const line = await api.line();
    const changes = {
      name: '新名',
      maxConcurrency: 7,
      lineIds: [line.id, ...campaign.lineIds],
      scheduledEndAt: '2027-01-01T00:00:00.000Z',
    };
    const { campaign: after } = required(await api.patch(`/api/campaigns/${campaign.id}`, changes));
    expect(after).toEqual({ ...campaign, ...changes, updatedAt: after.updatedAt });
    expect(await read(campaign.id)).toEqual(after);
    expect(await api.audited('campaign', campaign.id)).toEqual(['campaign.created', 'campaign.updated']);
  });

  test('a completed campaign with new contacts can be edited', async () => {
    const campaign = await startable();
    await api.server.running.context.database.run(sql`update campaign set status = 'completed', phase = 'IDLE' where id = ${campaign.id}`);
    const { campaign: after } = required(await api.patch(`/api/campaigns/${campaign.id}`, { maxConcurrency: 3 }));
    expect(after).toMatchObject({ status: 'completed', maxConcurrency: 3 });
  });

  test('retryAnsweredWithoutResult is switched on and off; a value that is not a boolean gives 400 [D7.8]', async () => {
    const campaign = await api.campaign();
    const path = `/api/campaigns/${campaign.id}`;
    expect(required(await api.patch(path, { retryAnsweredWithoutResult: true })).campaign.retryAnsweredWithoutResult).toBe(true);
    expect(required(await api.patch(path, { name: '改名' })).campaign.retryAnsweredWithoutResult).toBe(true);
    expect((await read(campaign.id)).retryAnsweredWithoutResult).toBe(true);
    const { rows } = required(await api.get('/api/campaigns?pageSize=200'));
    expect(rows.find(({ id }: { id: number }) => id === campaign.id).retryAnsweredWithoutResult).toBe(true);
    expect(required(await api.patch(path, { retryAnsweredWithoutResult: false })).campaign.retryAnsweredWithoutResult).toBe(false);
    for (const wrong of ['true', 1, null]) expect((await api.patch(path, { retryAnsweredWithoutResult: wrong })).status).toBe(400);
  });

  test('cellId binds another cell; null and empty unbind; an undeclared one gives 400 [OCS 4.5]', async () => {
    const campaign = await api.campaign();
    const path = `/api/campaigns/${campaign.id}`;
    expect(required(await api.patch(path, { cellId: 'cell-b' })).campaign.cellId).toBe('cell-b');
    expect(await api.patch(path, { cellId: 'cell-x' })).toMatchObject({ status: 400 });
    expect(required(await api.patch(path, { cellId: '' })).campaign.cellId).toBeNull();
    required(await api.patch(path, { cellId: 'cell-a' }));
    expect(required(await api.patch(path, { cellId: null })).campaign.cellId).toBeNull();
  });

  test('businessConfig is replaced as a whole group [OCS 2.6]', async () => {
    const campaign = await api.campaign({ businessConfig: { variables: { a: '1' }, intentKeywords: ['价格'] } });
    const { campaign: after } = required(await api.patch(`/api/campaigns/${campaign.id}`, { businessConfig: { variables: { b: '2' } } }));
    expect(after.businessConfig).toEqual({ variables: { b: '2' } });
  });

  test('another business clears the monitoring members and keeps the rest [OCS 2.6]', async () => {
    const businessConfig = { variables: { a: '1' }, monitoringMode: 'strict', monitoringPriority: 3 };
    const campaign = await api.campaign({ businessCode: MONITORED_BUSINESS, businessConfig });
    const path = `/api/campaigns/${campaign.id}`;
    expect(required(await api.patch(path, { businessCode: OTHER_BUSINESS })).campaign.businessConfig).toEqual({ variables: { a: '1' } });
    expect(required(await api.patch(path, { businessCode: MONITORED_BUSINESS })).campaign.businessConfig).toEqual({
      variables: { a: '1' },
      monitoringMode: 'unattended',
      monitoringPriority: 0,
    });
  });

  test('changed members must fit the unchanged ones [D5.3]', async () => {
    const campaign = await api.campaign({ workdayStart: '09:00', workdayEnd: '18:00', scheduledStartAt: '2026-12-01 10:00' });
    const path = `/api/campaigns/${campaign.id}`;
    expect((await api.patch(path, { workdayEnd: null })).msg).toContain('workdayEnd 必须与 workdayStart 同时设置');
    expect((await api.patch(path, { workdayEnd: '09:00' })).msg).toContain('workdayEnd 不能与 workdayStart 相同');
    expect((await api.patch(path, { scheduledEndAt: '2026-12-01 10:00' })).msg).toContain('scheduledEndAt 必须晚于');
    expect(await read(campaign.id)).toEqual(campaign);
  });

  test('a disabled line does not block edits of other members [OCS 2.5]', async () => {
    const campaign = await api.campaign();
    required(await api.patch(`/api/lines/${campaign.lineIds[0]}`, { isEnabled: 0 }));
    expect(await api.patch(`/api/campaigns/${campaign.id}`, { name: '改名' })).toMatchObject({ status: 200 });
    expect((await api.patch(`/api/campaigns/${campaign.id}`, { lineIds: campaign.lineIds })).msg).toContain(
      'lineIds 至少需要一条启用的线路',
    );
  });

  test('top-level variables and intentKeywords give 400 [OCS 2.6, D2.2]', async () => {
    const campaign = await api.campaign();
    const answer = await api.patch(`/api/campaigns/${campaign.id}`, { name: '新名', variables: {} });
    expect(answer).toMatchObject({ status: 400, msg: '参数错误：variables 不再支持，请放到 businessConfig 中' });
    expect(await read(campaign.id)).toEqual(campaign);
  });

  test('a campaign that does not exist gives 404, the wrong role 403', async () => {
    expect(await api.patch('/api/campaigns/999999', { name: 'x' })).toMatchObject({ status: 404 });
    expect(await api.patch('/api/campaigns/999999', { status: 'running' })).toMatchObject({ status: 404 });
    const campaign = await api.campaign();
    expect(await api.patch(`/api/campaigns/${campaign.id}`, { name: 'x' }, await api.server.loginAs('agent'))).toMatchObject({
      status: 403,
    });
  });
});

describe('PATCH /api/campaigns/:id: status', () => {
  test('draft → running → paused → running, with contacts to call [OCS §3]', async () => {
    const { id } = await startable();
    for (const status of ['running', 'paused', 'running']) {
      expect(required(await api.patch(`/api/campaigns/${id}`, { status })).campaign).toMatchObject({ id, status });
      expect(await read(id)).toMatchObject({ status });
    }
  });

  test('starting with no contact to call gives 409 and changes nothing [OCS §3]', async () => {
    const campaign = await api.campaign();
    const answer = await api.patch(`/api/campaigns/${campaign.id}`, { status: 'running' });
    expect(answer).toMatchObject({ status: 409, code: '409', data: null, msg: '活动没有可呼叫的联系人，不能启动' });
    expect(await read(campaign.id)).toEqual(campaign);
  });

  test('a refused change of status leaves the other fields of the request unwritten [OCS §3]', async () => {
    const campaign = await api.campaign();
    expect(await api.patch(`/api/campaigns/${campaign.id}`, { status: 'running', name: '新名', maxConcurrency: 9 })).toMatchObject({
      status: 409,
    });
    expect(await read(campaign.id)).toEqual(campaign);
  });

  test('an invalid field leaves the status of the request unchanged [OCS §3]', async () => {
    const campaign = await startable();
    expect(await api.patch(`/api/campaigns/${campaign.id}`, { status: 'running', cellId: 'cell-x' })).toMatchObject({ status: 400 });
    expect(await read(campaign.id)).toMatchObject({ status: 'draft' });
  });

  test('fields and a valid change of status both take effect [OCS 4.5]', async () => {
    const { id } = await startable();
    expect(required(await api.patch(`/api/campaigns/${id}`, { status: 'running', maxConcurrency: 3 })).campaign).toMatchObject({
      status: 'running',
      maxConcurrency: 3,
    });
  });

  test('draft → archived; archived is read-only [D5.2]', async () => {
    const campaign = await startable();
    const path = `/api/campaigns/${campaign.id}`;
    expect(required(await api.patch(path, { status: 'archived' })).campaign.status).toBe('archived');
    for (const change of [{ name: 'x' }, { status: 'running' }, { status: 'paused' }, {}]) {
      expect(await api.patch(path, change)).toMatchObject({ status: 409, msg: '活动已归档，不能再修改' });
    }
    const contacts = `${path}/contacts`;
    expect(await api.post(contacts, { contacts: [{ phoneNumber: '1' }] })).toMatchObject({ status: 409 });
    expect(await api.get(contacts)).toMatchObject({ status: 200 });
  });

  test('archiving with a live call gives 409 [D5.2]', async () => {
    const campaign = await api.campaign();
    const [contact = 0] = await api.contacts(campaign.id, '13800138000');
    await api.attempt(campaign.id, contact);
    expect(await api.patch(`/api/campaigns/${campaign.id}`, { status: 'archived' })).toMatchObject({
      status: 409,
      msg: '活动还有进行中的通话，不能归档',
    });
  });

  test.each([
    ['draft', 'paused'],
    ['draft', 'completed'],
  ])('%s → %s does not exist: 409 [D5.2]', async (_, status) => {
    const campaign = await startable();
    expect(await api.patch(`/api/campaigns/${campaign.id}`, { status })).toMatchObject({ status: 409, data: null });
    expect(await read(campaign.id)).toEqual(campaign);
  });

  test('running → archived does not exist: 409 [D5.2]', async () => {
    const { id } = await startable();
    required(await api.patch(`/api/campaigns/${id}`, { status: 'running' }));
    expect(await api.patch(`/api/campaigns/${id}`, { status: 'archived' })).toMatchObject({ status: 409 });
    expect(await read(id)).toMatchObject({ status: 'running' });
  });

  test('a client may send back the status that it has read [OCS 4.5]', async () => {
    const campaign = await api.campaign();
    expect(required(await api.patch(`/api/campaigns/${campaign.id}`, { name: '新名', status: 'draft' })).campaign).toMatchObject({
      name: '新名',
      status: 'draft',
    });
  });

  test('an unknown status gives 400', async () => {
    const campaign = await api.campaign({ businessCode: BUSINESS });
    expect((await api.patch(`/api/campaigns/${campaign.id}`, { status: 'sleeping' })).msg).toContain('参数错误：status 必须是');
  });
});
