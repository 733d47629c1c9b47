import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { insertBatch } from '#test/support/rows.ts';
import { ManagementApi, required } from './builders.ts';

let api: ManagementApi;

beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

describe('GET /api/campaigns', () => {
  test('pages newest first, 50 unless asked otherwise [OCS 2.2, D2.4]', async () => {
    const ids: number[] = [];
    for (const name of ['甲', '乙', '丙']) ids.unshift((await api.campaign({ name })).id);
    const all = required(await api.get('/api/campaigns'));
    expect(all).toMatchObject({ page: 1, pageSize: 50 });
    expect(all.rows.slice(0, 3).map((row: { id: number }) => row.id)).toEqual(ids);
    const second = required(await api.get('/api/campaigns?page=2&pageSize=1'));
    expect(second).toMatchObject({ page: 2, pageSize: 1, total: all.total });
    expect(second.rows).toEqual([all.rows[1]]);
    expect(required(await api.get('/api/campaigns?page=1000')).rows).toEqual([]);
  });

  test('q matches anywhere in name and description, ignoring case; wildcards are plain text [D2.4]', async () => {
    const campaign = await api.campaign({ name: 'Spring_100% 回访', description: '给 VIP 客户' });
    for (const q of ['spring_', '100%', '回访', 'vip']) {
      const { rows, total } = required(await api.get(`/api/campaigns?q=${encodeURIComponent(q)}`));
      expect([rows.map((row: { id: number }) => row.id), total]).toEqual([[campaign.id], 1]);
    }
    expect(required(await api.get('/api/campaigns?q=Spring%25100'))).toMatchObject({ rows: [], total: 0 });
  });

  test('a page size over 200 is clamped, and the response shows it [D2.4]', async () => {
    expect(required(await api.get('/api/campaigns?pageSize=500')).pageSize).toBe(200);
  });

  test.each(['page=0', 'page=x', 'page=1.5', 'pageSize=0', 'pageSize=-1'])('%s gives 400 [D2.4]', async query => {
    const answer = await api.get(`/api/campaigns?${query}`);
    expect(answer).toMatchObject({ status: 400, data: null });
    expect(answer.msg).toContain(query.split('=')[0]);
  });

  test('requires a session of any role [OCS 4.5]', async () => {
    expect(await api.get('/api/campaigns', null)).toMatchObject({ status: 401 });
    expect(await api.get('/api/campaigns', await api.server.loginAs('agent'))).toMatchObject({ status: 200 });
  });
});

describe('GET /api/campaigns/:id', () => {
  test('returns the campaign with samples of its contacts, attempts and batches [OCS 2.6]', async () => {
    const campaign = await api.campaign();
    const numbers = Array.from({ length: 25 }, (_, index) => `1380000${String(index).padStart(4, '0')}`);
    const ids = await api.contacts(campaign.id, ...numbers);
    const attemptId = await api.attempt(campaign.id, ids[0] ?? 0, 'completed');
    const detail = required(await api.get(`/api/campaigns/${campaign.id}`));
    expect(detail).toMatchObject({ campaign, contactTotal: 25, batches: [], attempts: [{ id: attemptId, contactId: ids[0] }] });
    expect(detail.contacts.map((row: { id: number }) => row.id)).toEqual(ids.toReversed().slice(0, 20));
  });

  test('a campaign that does not exist gives 404', async () => {
    expect(await api.get('/api/campaigns/999999')).toMatchObject({ status: 404, code: '404', data: null, msg: '活动不存在' });
  });
});

describe('DELETE /api/campaigns/:id', () => {
  test('deletes an empty campaign [OCS 4.5]', async () => {
    const campaign = await api.campaign();
    expect(required(await api.delete(`/api/campaigns/${campaign.id}`)).campaign).toEqual(campaign);
    expect(await api.get(`/api/campaigns/${campaign.id}`)).toMatchObject({ status: 404 });
    expect(await api.delete(`/api/campaigns/${campaign.id}`)).toMatchObject({ status: 404 });
    expect(await api.audited('campaign', campaign.id)).toEqual(['campaign.created', 'campaign.deleted']);
  });

  test('a campaign with contacts gives 409; without them it is deleted [OCS 4.5]', async () => {
    const campaign = await api.campaign();
    const [contact] = await api.contacts(campaign.id, '13800138000');
    expect(await api.delete(`/api/campaigns/${campaign.id}`)).toMatchObject({ status: 409, msg: '活动还有联系人，不能删除' });
    required(await api.delete(`/api/campaigns/${campaign.id}/contacts/${contact}`));
    expect(await api.delete(`/api/campaigns/${campaign.id}`)).toMatchObject({ status: 200 });
  });

  test('a campaign with an attempt that is not deleted gives 409 [OCS 4.5]', async () => {
    const campaign = await api.campaign();
    const [contact = 0] = await api.contacts(campaign.id, '13800138000');
    await api.attempt(campaign.id, contact, 'completed');
    required(await api.delete(`/api/campaigns/${campaign.id}/contacts/${contact}`));
    expect(await api.delete(`/api/campaigns/${campaign.id}`)).toMatchObject({ status: 409, msg: '活动还有通话记录，不能删除' });
  });

  test('a campaign with a batch gives 409 [OCS 4.5]', async () => {
    const campaign = await api.campaign();
    await insertBatch(api.server.running.context.database, { campaignId: campaign.id });
    expect(await api.delete(`/api/campaigns/${campaign.id}`)).toMatchObject({ status: 409, msg: '活动还有调度批次，不能删除' });
  });

  test('a running campaign gives 409 [OCS 4.5]', async () => {
    const campaign = await api.campaign();
    await api.contacts(campaign.id, '13800138000');
    required(await api.patch(`/api/campaigns/${campaign.id}`, { status: 'running' }));
    expect(await api.delete(`/api/campaigns/${campaign.id}`)).toMatchObject({ status: 409, msg: '活动正在运行，不能删除' });
  });

  test('requires campaign:write [OCS 4.5]', async () => {
    const campaign = await api.campaign();
    expect(await api.delete(`/api/campaigns/${campaign.id}`, await api.server.loginAs('agent'))).toMatchObject({ status: 403 });
  });
});
