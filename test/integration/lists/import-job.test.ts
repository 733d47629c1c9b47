import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { NO_ROWS } from '#lists/import-counts.ts';
import { insertCampaign } from '#test/support/rows.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { type ImportRig, startImportRig } from './import-rig.ts';

const TIMEOUT_MS = 60_000;

let rig: ImportRig;
beforeAll(async () => {
  rig = await startImportRig();
}, TIMEOUT_MS);
afterAll(() => rig?.close());

const numberOf = (index: number) => `138${String(index).padStart(8, '0')}`;
/** More rows than one block has. */
const MANY = 12_000;

function fileOf(rows: number, name = (index: number) => `客户${index}`): Buffer {
  const lines = Array.from({ length: rows }, (_, index) => `${numberOf(index)},${name(index)},C-${index},上海`);
  return Buffer.from(`手机号,姓名,外部编号,城市\n${lines.join('\n')}\n`);
}

const contactsOf = (campaignId: number) =>
  rig.rows(sql<{ phoneNumber: string; customerName: string; externalId: string; updatedAt: number }>`
    select phone_number, customer_name, external_id, updated_at from contact where campaign_id = ${campaignId} and deleted_at is null order by id`);

describe('a file of any length goes into a campaign by a job [D6.9]', () => {
  test(
    'all rows in the order of the file, and the same file again changes nothing',
    async () => {
      const campaignId = await insertCampaign(rig.db);
      expect(await rig.import(fileOf(MANY), { campaignId })).toEqual({ ...NO_ROWS, totalRows: MANY, createdRows: MANY });
      const before = await contactsOf(campaignId);
      expect(before.map(({ phoneNumber }) => phoneNumber)).toEqual(Array.from({ length: MANY }, (_, index) => numberOf(index)));
      expect(await rig.import(fileOf(MANY), { campaignId })).toEqual({ ...NO_ROWS, totalRows: MANY, unchangedRows: MANY });
      expect(await contactsOf(campaignId)).toEqual(before);
    },
    TIMEOUT_MS,
  );

  test('a campaign that runs takes rows, and is woken for them', async () => {
    const campaignId = await insertCampaign(rig.db, { status: 'running' });
    await rig.db.run(sql`update campaign set next_wake_at = now() + interval '1 day' where id = ${campaignId}`);
    rig.woken.length = 0;
    expect(await rig.import(fileOf(3), { campaignId })).toMatchObject({ createdRows: 3 });
    expect(rig.woken).toContain(campaignId);
  });

  test('a changed row is updated by its external id, and the others are not written', async () => {
    const campaignId = await insertCampaign(rig.db);
    await rig.import(fileOf(5), { campaignId });
    const [before] = await contactsOf(campaignId);
    const counts = await rig.import(
      fileOf(5, index => (index === 3 ? '改名' : `客户${index}`)),
      { campaignId },
    );
    expect(counts).toEqual({ ...NO_ROWS, totalRows: 5, updatedRows: 1, unchangedRows: 4 });
    const after = await contactsOf(campaignId);
    expect([after[0], after[3]?.customerName]).toEqual([before, '改名']);
  });

  test('an external id that comes twice counts once, also when a later block repeats it', async () => {
    const campaignId = await insertCampaign(rig.db);
    const file = Buffer.concat([fileOf(MANY), Buffer.from(`${numberOf(0)},后来,C-0,上海\n`)]);
    const counts = await rig.import(file, { campaignId });
    expect(counts.leftOut.repeated).toBe(1);
    const again = await rig.import(file, { campaignId });
    expect(again).toMatchObject({ createdRows: 0, updatedRows: 0, unchangedRows: MANY, leftOut: { repeated: 1 } });
    expect((await contactsOf(campaignId))[0]?.customerName).toBe('客户0');
  });

  test('refused rows are a file to mend, which is imported as it is', async () => {
    const campaignId = await insertCampaign(rig.db);
    const file = Buffer.from(`名单\n手机号,姓名,外部编号\n13800138000,张三,A-1\n12,李四,A-2\n13800138002,=1+1,A-3\n`);
    const job = await rig.start(file, { campaignId });
    expect((await rig.untilOver(job.id)).counts).toMatchObject({ createdRows: 2, failedRows: 1 });
    const refused = await rig.refusals(job.id);
    expect(refused.split('\r\n').slice(0, 2)).toEqual([
      '﻿原文件行号,未导入原因,手机号,姓名,外部编号',
      expect.stringMatching(/^4,手机号：.*,12,李四,A-2$/),
    ]);
    const counts = await rig.import(Buffer.from(refused.replace(',12,', ',13800138001,')), { campaignId });
    expect(counts).toEqual({ ...NO_ROWS, totalRows: 1, createdRows: 1 });
    const [mended] = await rig.rows(
      sql<{ metadata: object }>`select metadata from contact where external_id = 'A-2' and campaign_id = ${campaignId}`,
    );
    expect(mended?.metadata).toEqual({});
  });

  test('a file that is no table is refused before a job begins', async () => {
    const campaignId = await insertCampaign(rig.db);
    await expect(rig.start(Buffer.from('甲,乙\n丙,丁\n'), { campaignId })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('a list has versions [D6.9]', () => {
  const rowsIn = (listId: number, version: number) =>
    rig.rows(sql<{ customerName: string }>`
      select customer_name from contact_list_row where list_id = ${listId} and since_version <= ${version}
        and (gone_version is null or gone_version > ${version}) order by id`);
  const listNow = async (id: number) =>
    (
      await rig.rows(
        sql<{
          version: number;
          rowCount: number;
          importId: number | null;
        }>`select version, row_count, import_id from contact_list where id = ${id}`,
      )
    )[0];

  test('each import that changes something makes one, and the one before stays', async () => {
    const { id: listId } = await rig.newList();
    expect(await rig.import(fileOf(4), { listId })).toMatchObject({ createdRows: 4 });
    expect(await rig.import(fileOf(4), { listId })).toEqual({ ...NO_ROWS, totalRows: 4, unchangedRows: 4 });
    expect(await listNow(listId)).toEqual({ version: 1, rowCount: 4, importId: null });
    const audited = await rig.rows(sql`select actor_name from audit_log where action = 'list.imported' and target_id = ${String(listId)}`);
    expect(audited).toEqual([{ actorName: 'system' }, { actorName: 'system' }]);
    const counts = await rig.import(
      fileOf(5, index => (index === 0 ? '改名' : `客户${index}`)),
      { listId },
    );
    expect(counts).toEqual({ ...NO_ROWS, totalRows: 5, createdRows: 1, updatedRows: 1, unchangedRows: 3 });
    expect(await listNow(listId)).toEqual({ version: 2, rowCount: 5, importId: null });
    expect((await rowsIn(listId, 1)).map(row => row.customerName)).toEqual(['客户0', '客户1', '客户2', '客户3']);
    expect((await rowsIn(listId, 2)).map(row => row.customerName).toSorted()).toEqual(['客户1', '客户2', '客户3', '客户4', '改名']);
  });

  test('a version that is cancelled leaves the list as it was', async () => {
    const { id: listId } = await rig.newList();
    await rig.import(fileOf(4), { listId });
    const job = await rig.start(
      fileOf(60_000, index => `新${index}`),
      { listId },
    );
    await waitUntil('the first rows', async () => (await rowsIn(listId, 9)).length > 4);
    await rig.db.run(
      sql`update job set state = 'cancelled', finished_at = now(), lease_until = null, lease_token = null where id = ${job.id}`,
    );
    await waitUntil('the version to be taken back', async () => (await listNow(listId))?.importId === null);
    expect(await listNow(listId)).toEqual({ version: 1, rowCount: 4, importId: null });
    expect((await rowsIn(listId, 9)).map(row => row.customerName)).toEqual(['客户0', '客户1', '客户2', '客户3']);
    expect(await rig.import(fileOf(4), { listId })).toMatchObject({ unchangedRows: 4 });
  });

  test('a second import of the list is refused while one is under way', async () => {
    const { id: listId } = await rig.newList();
    await rig.db.run(sql`update contact_list set import_id = 1, writing_version = 1 where id = ${listId}`);
    await expect(rig.start(fileOf(1), { listId })).rejects.toMatchObject({ code: 'CONFLICT', reason: 'LIST_BEING_WRITTEN' });
  });
});
