import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { ManagementApi, required } from '../campaigns/builders.ts';
import { uploads } from './uploads.ts';

let api: ManagementApi;

beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

const { upload, contactsOf } = uploads(() => api);

describe('POST /api/campaigns/:id/import-files: persons', () => {
  test('promises new contacts the callbacks of a file, in the time zone of the campaign, and refuses past ones [D6.3, D7.12]', async () => {
    const { id } = await api.campaign({ timeZone: 'America/New_York' });
    const year = new Date().getFullYear() + 1;
    const rows = ['13800138000,张三', '13800138001,李四', '13800138002,王五'];
    const times = [`${year}-03-01 09:30,介绍套餐`, '2020-01-01 09:30,', ','];
    const file = `手机号,姓名,回访时间,回访备注\n${rows.map((row, index) => `${row},${times[index]}`).join('\n')}`;
    const answer = await upload(id, file);
    expect(answer.data).toMatchObject({ createdRows: 2, failedRows: 1 });
    expect(answer.data.errors).toEqual([{ rowNumber: 2, phoneNumber: '13800138001', reason: '回访时间必须晚于当前时间' }]);
    const { rows: callbacks } = required(await api.get(`/api/callbacks?campaignId=${id}`));
    expect(callbacks).toMatchObject([{ source: 'import', note: '介绍套餐', dueAt: `${year}-03-01T14:30:00.000Z`, status: 'promised' }]);
    const [first, second] = await contactsOf(id);
    expect(first).toMatchObject({ callbackAt: `${year}-03-01T14:30:00.000Z`, holdReason: 'callback', metadata: {} });
    expect(second).toMatchObject({ callbackAt: null, holdReason: null });
    expect((await upload(id, file)).data).toMatchObject({ createdRows: 0, duplicateRows: 2 });
  });

  test('reads several numbers of a person, and updates by the external id [D6.7, D6.8]', async () => {
    const { id } = await api.campaign();
    const file = '外部编号,手机号,备用电话,姓名\nC-1,13800138000,010-65551234转801,甲\nC-2,13800138001、13900139001,无,乙';
    expect(await upload(id, file)).toMatchObject({ data: { createdRows: 2, duplicateRows: 0, failedRows: 0 } });
    const [first, second] = await contactsOf(id);
    expect(first).toMatchObject({
      externalId: 'C-1',
      phoneNumber: '13800138000',
      metadata: {},
      numbers: [{ phoneNumber: '13800138000' }, { phoneNumber: '010-65551234', label: '备用电话', extension: '801' }],
    });
    expect(second.numbers).toMatchObject([{ phoneNumber: '13800138001' }, { phoneNumber: '13900139001' }]);
    const again = '外部编号,手机号,姓名\nC-1,13800138000,甲新\n,13900139001,丙\nC-3,13700137001,丁\nC-3,13700137002,丁';
    const told = { totalRows: 4, createdRows: 1, updatedRows: 1, duplicateRows: 2 };
    expect(await upload(id, again, { dryRun: '1' })).toMatchObject({ data: told });
    const leftOut = [
      { reason: 'repeated', rows: 1 },
      { reason: 'campaign', rows: 1 },
    ];
    expect(await upload(id, again)).toMatchObject({ data: { ...told, leftOut } });
    expect((await contactsOf(id))[0]).toMatchObject({ id: first.id, customerName: '甲新', numbers: [{ phoneNumber: '13800138000' }] });
  });

  test('leaves out persons of the business, and those who were dialled not long ago, by any of their numbers [D6.8]', async () => {
    const [known, other] = [await api.campaign(), await api.campaign()];
    required(
      await api.post(`/api/campaigns/${known.id}/contacts`, {
        contacts: [{ phoneNumber: '13600136001', numbers: [{ phoneNumber: '13600136002' }] }],
      }),
    );
    const [contact] = await contactsOf(known.id);
    await api.server.running.context.database.run(sql`
      insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status, dialing_at)
      values (gen_random_uuid(), ${known.id}, ${contact.id}, '13600136003', '+8613600136003', 'failed', now() - interval '3 days')`);
    const file = '手机号,备用电话\n13600136009,13600136002\n13600136003,13600136010\n13600136004,13600136011';
    const dry = async (fields: Record<string, string>) => (await upload(other.id, file, { dryRun: '1', ...fields })).data;
    expect(await dry({})).toMatchObject({ createdRows: 3 });
    expect(await dry({ duplicates: 'business' })).toMatchObject({ createdRows: 2, leftOut: [{ reason: 'business', rows: 1 }] });
    expect(await dry({ contactedWithinDays: '2' })).toMatchObject({ createdRows: 3 });
    expect(await dry({ contactedWithinDays: '4' })).toMatchObject({ createdRows: 2, leftOut: [{ reason: 'contacted', rows: 1 }] });
    expect(await upload(other.id, file, { duplicates: 'business', contactedWithinDays: '4' })).toMatchObject({
      data: { createdRows: 1, duplicateRows: 2 },
    });
    expect(await upload(other.id, file, { contactedWithinDays: '0' })).toMatchObject({
      status: 400,
      msg: expect.stringContaining('contactedWithinDays'),
    });
    expect(await upload(other.id, file, { duplicates: 'world' })).toMatchObject({
      status: 400,
      msg: expect.stringContaining('duplicates'),
    });
  });
});
