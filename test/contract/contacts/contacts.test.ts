import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { systemIds } from '#kernel/ids.ts';
import { redisLocks } from '#platform/redis/locks.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { ManagementApi, required } from '../campaigns/builders.ts';

let api: ManagementApi;

beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

async function campaignPath(): Promise<{ id: number; path: string }> {
  const { id } = await api.campaign();
  return { id, path: `/api/campaigns/${id}/contacts` };
}

// oxlint-disable-next-line typescript/no-explicit-any
async function contact(path: string, id: number): Promise<any> {
  return required(await api.get(`${path}?pageSize=200`)).rows.find((row: { id: number }) => row.id === id);
}

describe('GET /api/campaigns/:id/contacts', () => {
  test('while a running campaign has no runtime, every contact that could be called shows it as the reason [D7.10]', async () => {
    const { id, path } = await campaignPath();
    await api.post(path, { contacts: ['13800138001', '13800138002', '13800138003'].map(phoneNumber => ({ phoneNumber })) });
    const { database, redis } = api.server.running.context;
    const reasons = async () => required(await api.get(path)).rows.map((row: { holdReason: string | null }) => row.holdReason);
    await database.run(sql`update contact set hold_reason = 'dnc' where campaign_id = ${id} and phone_number = '13800138001'`);
    await database.run(sql`update contact set status = 'completed' where campaign_id = ${id} and phone_number = '13800138002'`);
    // A turn would replace the refusal, and adding contacts has woken the campaign: its lock, once the last turn has given it back, keeps every
    // turn away.
    const locks = redisLocks(redis, systemIds);
    await waitUntil('the lock of the campaign', async () => (await locks.acquire(`campaign:${id}`, 60_000)) !== null);
    await database.run(sql`update campaign set phase_refusal = 'no_runtime', next_wake_at = now() + interval '1 day' where id = ${id}`);
    expect(await reasons()).toEqual([null, null, 'dnc']);
    await database.run(sql`update campaign set status = 'running' where id = ${id}`);
    expect(await reasons()).toEqual(['no_runtime', null, 'dnc']);
  });
});

describe('POST /api/campaigns/:id/contacts', () => {
  test('adds contacts and returns the counts [OCS 4.6, 2.7]', async () => {
    const { id, path } = await campaignPath();
    const contacts = [
      { phoneNumber: ' 138-0013-8000 ', customerName: '王小明', remark: '老客户', metadata: { city: '杭州', age: 30, tags: ['a'] } },
      { phoneNumber: 'ext-not-a-number', other: 1 },
    ];
    expect(required(await api.post(path, { contacts }))).toEqual({
      totalRows: 2,
      createdRows: 2,
      skippedRows: 0,
      duplicateRows: 0,
      failedRows: 0,
      errors: [],
    });
    const { rows } = required(await api.get(path));
    expect(rows).toEqual([
      expect.objectContaining({ phoneNumber: 'ext-not-a-number', customerName: '', remark: '', metadata: {} }),
      {
        id: expect.any(Number),
        campaignId: id,
        phoneNumber: '138-0013-8000',
        customerName: '王小明',
        remark: '老客户',
        metadata: { city: '杭州', age: 30, tags: ['a'] },
        priority: 0,
        status: 'pending',
        attemptCount: 0,
        retryAt: null,
        lastAttemptId: null,
        holdReason: null,
        holdUntil: null,
        callbackAt: null,
        timeZone: '',
        externalId: '',
        numbers: [{ phoneNumber: '138-0013-8000', label: '', extension: '', verdict: null }],
        zones: ['Asia/Shanghai'],
        zoneSource: 'number',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    expect(await api.audited('campaign', id)).toContain('contact.added');
  });

  test('an existing number, ignoring separators, is a duplicate [D6.1, OCS 2.7]', async () => {
    const { path } = await campaignPath();
    required(await api.post(path, { contacts: [{ phoneNumber: '13800138000' }] }));
    const phoneNumbers = ['13800138001', '138 0013 8000', '138-0013-8001', '(138)00138002'];
    const result = required(await api.post(path, { contacts: phoneNumbers.map(phoneNumber => ({ phoneNumber })) }));
    expect(result).toEqual({
      totalRows: 4,
      createdRows: 2,
      skippedRows: 2,
      duplicateRows: 2,
      failedRows: 0,
      leftOut: [
        { reason: 'repeated', rows: 1 },
        { reason: 'campaign', rows: 1 },
      ],
      errors: [
        { rowNumber: 2, phoneNumber: '138 0013 8000', reason: '号码已在该活动中' },
        { rowNumber: 3, phoneNumber: '138-0013-8001', reason: '号码与第 1 行重复' },
      ],
    });
  });

  test('the same number in another campaign, or deleted here, is not a duplicate [D6.1]', async () => {
    const [first, second] = [await campaignPath(), await campaignPath()];
    const [id] = await api.contacts(first.id, '13800138000');
    expect(required(await api.post(second.path, { contacts: [{ phoneNumber: '13800138000' }] })).createdRows).toBe(1);
    required(await api.delete(`${first.path}/${id}`));
    expect(required(await api.post(first.path, { contacts: [{ phoneNumber: '13800138000' }] })).createdRows).toBe(1);
  });

  test('two concurrent pastes of the same numbers never create a duplicate [OCS 4.6]', async () => {
    const { path } = await campaignPath();
    const numbers = Array.from({ length: 300 }, (_, index) => `1390000${String(index).padStart(4, '0')}`);
    const paste = (list: string[]) => api.post(path, { contacts: list.map(phoneNumber => ({ phoneNumber })) });
    const results = (await Promise.all([paste(numbers), paste(numbers.toReversed()), paste(numbers)])).map(required);
    expect(results.reduce((sum, { createdRows }) => sum + createdRows, 0)).toBe(300);
    expect(required(await api.get(path)).total).toBe(300);
  });

  test('ids follow the order of the rows, by which contacts are dialled [D5.5]', async () => {
    const { path } = await campaignPath();
    const numbers = Array.from({ length: 1_500 }, (_, index) => `1370000${String(9_999 - index)}`);
    required(await api.post(path, { contacts: numbers.map(phoneNumber => ({ phoneNumber })) }));
    const { rows, total } = required(await api.get(`${path}?page=8&pageSize=200`));
    expect(total).toBe(1_500);
    expect(rows.map((row: { phoneNumber: string }) => row.phoneNumber)).toEqual(numbers.slice(0, 100).toReversed());
  });

  test('accepts 10,000 rows and refuses one more with nothing written [OCS 4.6, OCS §8]', async () => {
    const { path } = await campaignPath();
    const contacts = Array.from({ length: 10_001 }, (_, index) => ({
      phoneNumber: `139${String(index).padStart(8, '0')}`,
      customerName: '客'.repeat(40),
    }));
    const answer = await api.post(path, { contacts });
    expect(answer).toMatchObject({ status: 400, msg: '参数错误：contacts 元素个数不能超过 10000 个' });
    expect(required(await api.get(path)).total).toBe(0);
    expect(required(await api.post(path, { contacts: contacts.slice(0, 10_000) }))).toMatchObject({
      totalRows: 10_000,
      createdRows: 10_000,
    });
    expect(required(await api.get(path)).total).toBe(10_000);
  });

  test('a body over 8 MiB gives 413 [D2.2]', async () => {
    const { path } = await campaignPath();
    const answer = await api.post(path, { contacts: [{ phoneNumber: '1', remark: 'x'.repeat(8 * 1024 * 1024) }] });
    expect(answer).toMatchObject({ status: 413, code: '413', data: null });
  });

  test.each([
    [{}, 'contacts 不能为空'],
    [{ contacts: [] }, 'contacts 不能为空'],
    [{ contacts: 'x' }, 'contacts 必须是数组'],
    [{ contacts: [{ phoneNumber: '1' }, {}, { phoneNumber: '2' }] }, 'contacts[1].phoneNumber 不能为空'],
    [{ contacts: [{ phoneNumber: '  ' }] }, 'contacts[0].phoneNumber 不能为空'],
    [{ contacts: [{ phoneNumber: 13800138000 }] }, 'contacts[0].phoneNumber 必须是字符串'],
    [{ contacts: [{ phoneNumber: '1'.repeat(65) }] }, 'contacts[0].phoneNumber 长度不能超过 64 个字符'],
    [{ contacts: [{ phoneNumber: '1', metadata: [] }] }, 'contacts[0].metadata 必须是对象'],
    [{ contacts: [{ phoneNumber: '1', metadata: { a: 'x'.repeat(16_384) } }] }, 'contacts[0].metadata 不能超过 16384 个字符'],
    [{ contacts: [{ phoneNumber: '1', customerName: 'a\u0000' }] }, 'contacts[0].customerName 含有不合法的字符'],
    [{ contacts: [{ phoneNumber: '\ud800' }] }, 'contacts[0].phoneNumber 含有不合法的字符'],
  ])('refuses %j: %s [OCS 2.7, D2.1]', async (body, fault) => {
    const { path } = await campaignPath();
    const answer = await api.post(path, body);
    expect(answer).toMatchObject({ status: 400, data: null });
    expect(answer.msg).toContain(`参数错误：${fault}`);
    expect(required(await api.get(path)).total).toBe(0);
  });

  test('hostile text is stored unchanged [D4.5]', async () => {
    const { path } = await campaignPath();
    const phoneNumber = `1,{}[]<>'"^^:\${x}%0a😀`;
    required(await api.post(path, { contacts: [{ phoneNumber, metadata: JSON.parse('{"__proto__":"x","a\\r\\nb":"y"}') }] }));
    const { rows } = required(await api.get(path));
    expect(rows[0].phoneNumber).toBe(phoneNumber);
    expect(Object.entries(rows[0].metadata)).toEqual(expect.arrayContaining([['a\r\nb', 'y']]));
  });

  test('a running campaign accepts contacts; a missing one gives 404; the wrong role 403 [OCS 4.6]', async () => {
    const { id, path } = await campaignPath();
    await api.contacts(id, '13800138000');
    required(await api.patch(`/api/campaigns/${id}`, { status: 'running' }));
    expect(required(await api.post(path, { contacts: [{ phoneNumber: '13800138001' }] })).createdRows).toBe(1);
    expect(await api.post('/api/campaigns/999999/contacts', { contacts: [{ phoneNumber: '1' }] })).toMatchObject({ status: 404 });
    expect(await api.post(path, { contacts: [{ phoneNumber: '1' }] }, await api.server.loginAs('agent'))).toMatchObject({ status: 403 });
  });
});

describe('GET /api/campaigns/:id/contacts', () => {
  test('pages newest first and filters by status and text; totals are exact [OCS 4.6, D2.4]', async () => {
    const { path } = await campaignPath();
    const names = ['张三', '李四', 'ZHANG'];
    const contacts = names.map((customerName, index) => ({
      phoneNumber: `1380013800${index}`,
      customerName,
      remark: index === 1 ? '50%_off' : '',
    }));
    required(await api.post(path, { contacts }));
    const all = required(await api.get(path));
    expect([all.total, all.rows.map((row: { customerName: string }) => row.customerName)]).toEqual([3, names.toReversed()]);
    required(await api.patch(`${path}/${all.rows[0].id}`, { status: 'paused' }));
    const found = async (query: string) => {
      const { rows, total } = required(await api.get(`${path}?${query}`));
      return [total, rows.map((row: { customerName: string }) => row.customerName)];
    };
    expect(await found('status=paused')).toEqual([1, ['ZHANG']]);
    expect(await found('status=pending')).toEqual([2, ['李四', '张三']]);
    expect(await found('status=')).toEqual([3, names.toReversed()]);
    expect(await found('q=zhang')).toEqual([1, ['ZHANG']]);
    expect(await found(`q=${encodeURIComponent('%_')}`)).toEqual([1, ['李四']]);
    expect(await found('q=00138&status=pending')).toEqual([2, ['李四', '张三']]);
    expect(await found('page=2&pageSize=2')).toEqual([3, ['张三']]);
    expect(await found('page=9')).toEqual([3, []]);
  });

  test('an unknown status gives 400, a missing campaign 404', async () => {
    const { path } = await campaignPath();
    expect((await api.get(`${path}?status=lost`)).msg).toContain('参数错误：status 必须是');
    expect(await api.get('/api/campaigns/999999/contacts')).toMatchObject({ status: 404, msg: '活动不存在' });
    expect(await api.get(path, null)).toMatchObject({ status: 401 });
  });
});

describe('PATCH /api/campaigns/:id/contacts/:contactId', () => {
  test('accepts any subset [D6.2]', async () => {
    const { id, path } = await campaignPath();
    const [contactId = 0] = await api.contacts(id, '13800138000');
    const before = await contact(path, contactId);
    const changes = {
      phoneNumber: '139-0013-9000',
      customerName: '新名',
      remark: '新注',
      metadata: { a: 'b' },
      priority: 5,
      status: 'paused',
    };
    const { contact: after } = required(await api.patch(`${path}/${contactId}`, { ...changes, unknown: 1 }));
    const numbers = [{ phoneNumber: '139-0013-9000', label: '', extension: '', verdict: null }];
    expect(after).toEqual({ ...before, ...changes, numbers, updatedAt: after.updatedAt });
    expect(await contact(path, contactId)).toEqual(after);
    expect(await api.audited('contact', contactId)).toEqual(['contact.updated']);
  });

  test('returning to pending, or another number, ends holds; the wait for a retry stays [D6.2, D5.5]', async () => {
    const { id, path } = await campaignPath();
    const [first = 0, second = 0] = await api.contacts(id, '13800138000', '13800138001');
    await api.server.running.context.database.run(sql`
      update contact set status = 'failed', retry_at = now() + interval '1 hour', hold_reason = 'dnc', hold_until = null where campaign_id = ${id}`);
    expect(required(await api.patch(`${path}/${first}`, { remark: 'x' })).contact).toMatchObject({
      holdReason: 'dnc',
      retryAt: expect.any(String),
    });
    expect(required(await api.patch(`${path}/${first}`, { phoneNumber: '13900139000' })).contact).toMatchObject({
      status: 'failed',
      holdReason: null,
      retryAt: expect.any(String),
    });
    expect(required(await api.patch(`${path}/${second}`, { status: 'pending' })).contact).toMatchObject({
      status: 'pending',
      holdReason: 'retry_wait',
      retryAt: expect.any(String),
    });
    expect(required(await api.patch(`${path}/${second}`, { phoneNumber: '13900139001' })).contact).toMatchObject({
      status: 'pending',
      holdReason: null,
      retryAt: null,
    });
  });

  test('the number of another contact of the campaign gives 409 [D6.1]', async () => {
    const { id, path } = await campaignPath();
    const [first = 0] = await api.contacts(id, '13800138000', '13800138001');
    expect(await api.patch(`${path}/${first}`, { phoneNumber: '138-0013-8001' })).toMatchObject({ status: 409, msg: '该号码已在活动中' });
    expect(await contact(path, first)).toMatchObject({ phoneNumber: '13800138000' });
  });

  test('a contact with a live call gives 409, but not afterwards [D6.2]', async () => {
    const { id, path } = await campaignPath();
    const [contactId = 0] = await api.contacts(id, '13800138000');
    const attemptId = await api.attempt(id, contactId);
    expect(await api.patch(`${path}/${contactId}`, { remark: 'x' })).toMatchObject({ status: 409, msg: '联系人正在通话中，不能修改' });
    expect(await api.delete(`${path}/${contactId}`)).toMatchObject({ status: 409, msg: '联系人正在通话中，不能删除' });
    await api.server.running.context.database.run(sql`update attempt set status = 'completed' where id = ${attemptId}`);
    expect(await api.patch(`${path}/${contactId}`, { remark: 'x' })).toMatchObject({ status: 200 });
  });

  test('a call placed by an agent is a live call too [D6.2, D12.3]', async () => {
    const { id, path } = await campaignPath();
    const [contactId = 0] = await api.contacts(id, '13800138000');
    const db = api.server.running.context.database;
    await db.run(sql`
      insert into softphone_call (request_id, direction, status, campaign_id, contact_id)
      values (gen_random_uuid(), 'manual_call', 'answered', ${id}, ${contactId})`);
    expect(await api.patch(`${path}/${contactId}`, { remark: 'x' })).toMatchObject({ status: 409 });
    expect(await api.delete(`${path}/${contactId}`)).toMatchObject({ status: 409 });
    expect(required(await api.post(`${path}/delete`, { contactIds: [contactId] }))).toEqual({ requested: 1, affected: 0, skipped: 1 });
    await db.run(sql`update softphone_call set status = 'completed' where contact_id = ${contactId}`);
    expect(await api.patch(`${path}/${contactId}`, { remark: 'x' })).toMatchObject({ status: 200 });
  });

  test.each([
    [{ status: 'completed' }, 'status 必须是 pending、paused 之一'],
    [{ phoneNumber: '' }, 'phoneNumber 不能为空'],
    [{ priority: 'high' }, 'priority 必须是'],
    [{ metadata: 'x' }, 'metadata 必须是对象'],
  ])('refuses %j: %s [D6.2]', async (body, fault) => {
    const { id, path } = await campaignPath();
    const [contactId = 0] = await api.contacts(id, '13800138000');
    expect((await api.patch(`${path}/${contactId}`, body)).msg).toContain(`参数错误：${fault}`);
  });

  test('a contact of another campaign, or an unknown one, gives 404', async () => {
    const [first, second] = [await campaignPath(), await campaignPath()];
    const [contactId = 0] = await api.contacts(first.id, '13800138000');
    expect(await api.patch(`${second.path}/${contactId}`, { remark: 'x' })).toMatchObject({ status: 404, msg: '联系人不存在' });
    expect(await api.delete(`${second.path}/${contactId}`)).toMatchObject({ status: 404 });
    expect(await api.patch(`${first.path}/99999999999999999999`, { remark: 'x' })).toMatchObject({
      status: expect.any(Number),
      data: null,
    });
    expect(await api.patch(`${first.path}/${contactId}`, { remark: 'x' }, await api.server.loginAs('agent'))).toMatchObject({
      status: 403,
    });
  });
});

describe('DELETE /api/campaigns/:id/contacts/:contactId', () => {
  test('soft-deletes one contact [OCS 4.6]', async () => {
    const { id, path } = await campaignPath();
    const [contactId = 0] = await api.contacts(id, '13800138000', '13800138001');
    expect(required(await api.delete(`${path}/${contactId}`)).contact.id).toBe(contactId);
    expect(required(await api.get(path))).toMatchObject({ total: 1 });
    expect(await api.delete(`${path}/${contactId}`)).toMatchObject({ status: 404 });
    expect(await api.audited('contact', contactId)).toEqual(['contact.deleted']);
  });
});

describe('bulk pause and delete', () => {
  test('pauses the listed contacts; busy, paused and unknown ones are skipped [D6.2, OCS §3]', async () => {
    const { id, path } = await campaignPath();
    const [a = 0, b = 0, c = 0] = await api.contacts(id, '1', '2', '3', '4');
    await api.attempt(id, b);
    required(await api.patch(`${path}/${c}`, { status: 'paused' }));
    const other = await campaignPath();
    const [foreign = 0] = await api.contacts(other.id, '1');
    const answer = await api.post(`${path}/pause`, { contactIds: [a, a, b, c, foreign, 99_999_999] });
    expect(required(answer)).toEqual({ requested: 6, affected: 1, skipped: 5 });
    expect(required(await api.get(`${path}?status=paused`)).total).toBe(2);
    expect(required(await api.get(other.path)).rows[0].status).toBe('pending');
    expect(await api.audited('campaign', id)).toContain('contact.paused');
  });

  test('deletes the listed contacts except busy ones [D6.2]', async () => {
    const { id, path } = await campaignPath();
    const ids = await api.contacts(id, '1', '2', '3');
    await api.attempt(id, ids[1] ?? 0);
    expect(required(await api.post(`${path}/delete`, { contactIds: ids }))).toEqual({ requested: 3, affected: 2, skipped: 1 });
    const { rows, total } = required(await api.get(path));
    expect([total, rows.map((row: { id: number }) => row.id)]).toEqual([1, [ids[1]]]);
  });

  test.each(['pause', 'delete'])('%s accepts 1 to 10,000 ids [D6.2]', async verb => {
    const { path } = await campaignPath();
    const many = Array.from({ length: 10_001 }, (_, index) => index + 1);
    expect((await api.post(`${path}/${verb}`, { contactIds: [] })).msg).toContain('参数错误：contactIds 不能为空');
    expect((await api.post(`${path}/${verb}`, {})).msg).toContain('参数错误：contactIds 不能为空');
    expect((await api.post(`${path}/${verb}`, { contactIds: ['1'] })).msg).toContain('参数错误：contactIds[0] 必须是');
    expect((await api.post(`${path}/${verb}`, { contactIds: many })).msg).toContain('参数错误：contactIds 元素个数不能超过 10000 个');
    expect(required(await api.post(`${path}/${verb}`, { contactIds: many.slice(1) }))).toMatchObject({ requested: 10_000, affected: 0 });
    expect(await api.post(`/api/campaigns/999999/contacts/${verb}`, { contactIds: [1] })).toMatchObject({ status: 404 });
    expect(await api.post(`${path}/${verb}`, { contactIds: [1] }, await api.server.loginAs('agent'))).toMatchObject({ status: 403 });
  });
});
