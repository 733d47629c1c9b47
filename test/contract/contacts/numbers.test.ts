import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { ApiAnswer } from '#test/support/server.ts';
import { ManagementApi, required } from '../campaigns/builders.ts';

let api: ManagementApi;
beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

const MOBILE = '13800138000';
const OFFICE = '010-65551234';
const HOME = '02161234567';

const told = (phoneNumber: string, { label = '', extension = '', verdict = null as string | null } = {}) => ({
  phoneNumber,
  label,
  extension,
  verdict,
});

async function campaignPath(overrides: object = {}) {
  const { id } = await api.campaign(overrides);
  return { id, path: `/api/campaigns/${id}/contacts` };
}

async function contactsOf(path: string) {
  return required(await api.get(path)).rows;
}

async function added(fields: object) {
  const { id, path } = await campaignPath();
  required(await api.post(path, { contacts: [{ phoneNumber: MOBILE, ...fields }] }));
  const [row] = await contactsOf(path);
  return { id, path, row };
}

describe('numbers of a contact [D6.7]', () => {
  test('are kept in order, the first number before them when it is not among them', async () => {
    const { row } = await added({ numbers: [{ phoneNumber: OFFICE, label: '单位', extension: '801' }, { phoneNumber: HOME }] });
    expect(row).toMatchObject({
      phoneNumber: MOBILE,
      numbers: [told(MOBILE), told(OFFICE, { label: '单位', extension: '801' }), told(HOME)],
    });
  });

  test('may be given whole, and each counts once in whatever spelling', async () => {
    const { row } = await added({
      numbers: [{ phoneNumber: OFFICE }, { phoneNumber: '138-0013-8000', label: '手机' }, { phoneNumber: MOBILE }],
    });
    expect(row).toMatchObject({ phoneNumber: MOBILE, numbers: [told(OFFICE), told('138-0013-8000', { label: '手机' })] });
  });

  test('take an extension from the text of a number', async () => {
    const { row } = await added({ phoneNumber: '010-65551234转801' });
    expect(row.numbers).toEqual([told('010-65551234转801', { extension: '801' })]);
  });

  test('are not written again by a change of something else', async () => {
    const { path, row } = await added({ numbers: [{ phoneNumber: OFFICE, label: '单位', extension: '801' }] });
    const writtenBy = () =>
      api.server.running.context.database.rows(sql`select xmin::text from contact_number where contact_id = ${row.id} order by position`);
    const before = await writtenBy();
    expect(before).toHaveLength(2);
    for (const change of [{}, { remark: '重点' }]) required(await api.patch(`${path}/${row.id}`, change));
    expect(await writtenBy()).toEqual(before);
  });

  const eleven = Array.from({ length: 11 }, (_, index) => ({ phoneNumber: String(13_800_138_000 + index) }));

  test.each([
    ['eleven', { numbers: eleven }, 'numbers'],
    ['ten beside an eleventh', { phoneNumber: '13900139000', numbers: eleven.slice(1) }, 'numbers'],
    ['a number that is empty', { numbers: [{ phoneNumber: ' ' }] }, 'numbers'],
    ['a long label', { numbers: [{ phoneNumber: OFFICE, label: 'x'.repeat(33) }] }, 'label'],
    ['an extension with letters', { numbers: [{ phoneNumber: OFFICE, extension: '80a' }] }, 'extension'],
    ['a long extension', { numbers: [{ phoneNumber: OFFICE, extension: '1'.repeat(17) }] }, 'extension'],
  ])('%s are refused with the field, and nothing is written', async (_, fields, field) => {
    const { path } = await campaignPath();
    const answer: ApiAnswer = await api.post(path, { contacts: [{ phoneNumber: MOBILE, ...fields }] });
    expect(answer).toMatchObject({ status: 400, msg: expect.stringContaining(field) });
    expect(await contactsOf(path)).toEqual([]);
  });

  test('are replaced by an edit; the number to dial next stays if it is among them', async () => {
    const { path, row } = await added({ numbers: [{ phoneNumber: OFFICE }] });
    const edit = async (changes: object) => required(await api.patch(`${path}/${row.id}`, changes)).contact;
    expect(await edit({ numbers: [{ phoneNumber: HOME }, { phoneNumber: MOBILE }] })).toMatchObject({
      phoneNumber: MOBILE,
      numbers: [told(HOME), told(MOBILE)],
    });
    expect(await edit({ phoneNumber: HOME })).toMatchObject({ phoneNumber: HOME, numbers: [told(HOME), told(MOBILE)] });
    expect(await edit({ phoneNumber: OFFICE })).toMatchObject({ phoneNumber: OFFICE, numbers: [told(OFFICE), told(MOBILE)] });
    expect(await edit({ numbers: null })).toMatchObject({ phoneNumber: OFFICE, numbers: [told(OFFICE)] });
    expect(await api.patch(`${path}/${row.id}`, { numbers: [] })).toMatchObject({ status: 400 });
  });

  test('that have ended stay so in an edit, and another is dialled', async () => {
    const { path, row } = await added({ numbers: [{ phoneNumber: OFFICE }] });
    await api.server.running.context.database.run(sql`
      update contact_number set verdict = 'invalid_number' where contact_id = ${row.id} and phone_number = ${MOBILE}`);
    const { contact } = required(await api.patch(`${path}/${row.id}`, { numbers: [{ phoneNumber: MOBILE }, { phoneNumber: HOME }] }));
    expect(contact).toMatchObject({ phoneNumber: HOME, numbers: [told(MOBILE, { verdict: 'invalid_number' }), told(HOME)] });
  });

  test('are found by any of them, and are audited', async () => {
    const { path, row } = await added({ numbers: [{ phoneNumber: '13700137000' }] });
    required(await api.patch(`${path}/${row.id}`, { numbers: [{ phoneNumber: MOBILE }, { phoneNumber: '13700137001' }] }));
    const query =
      '{ contacts(first: 5, filter: { phoneNumber: "137 0013 7001" }) { nodes { databaseId numbers { phoneNumber verdict } } } }';
    const { data } = await api.post('/graphql', { query });
    expect(data.contacts.nodes).toEqual([
      {
        databaseId: String(row.id),
        numbers: [
          { phoneNumber: MOBILE, verdict: null },
          { phoneNumber: '13700137001', verdict: null },
        ],
      },
    ]);
    expect(await api.audited('contact', row.id)).toEqual(['contact.updated']);
  });

  test('whose first is a number of another contact are a duplicate; a further number may be shared', async () => {
    const { path } = await added({ numbers: [{ phoneNumber: OFFICE }] });
    const contacts = [{ phoneNumber: OFFICE }, { phoneNumber: HOME, numbers: [{ phoneNumber: OFFICE }] }];
    expect(required(await api.post(path, { contacts }))).toMatchObject({
      createdRows: 1,
      duplicateRows: 1,
      leftOut: [{ reason: 'campaign', rows: 1 }],
    });
  });
});

describe("the id in the customer's system [D6.8]", () => {
  test('finds its contact, which takes texts and numbers and keeps its state', async () => {
    const { path, row } = await added({ externalId: 'C-1', customerName: '旧', numbers: [{ phoneNumber: OFFICE }] });
    await api.server.running.context.database.run(sql`update contact set status = 'completed', attempt_count = 2 where id = ${row.id}`);
    const contacts = [
      { externalId: 'C-1', phoneNumber: HOME, customerName: '新', metadata: { a: 'b' } },
      { externalId: 'C-2', phoneNumber: MOBILE },
    ];
    expect(required(await api.post(path, { contacts }))).toMatchObject({ totalRows: 2, createdRows: 1, updatedRows: 1, keptRows: 1 });
    const [fresh, known] = await contactsOf(path);
    expect(known).toMatchObject({
      id: row.id,
      phoneNumber: HOME,
      customerName: '新',
      status: 'completed',
      attemptCount: 2,
      metadata: { a: 'b' },
    });
    expect(known.numbers).toEqual([told(HOME)]);
    expect(fresh).toMatchObject({ externalId: 'C-2', phoneNumber: MOBILE });
  });

  test('leaves the numbers of a contact that is in a call', async () => {
    const { id, path, row } = await added({ externalId: 'C-1' });
    await api.server.running.context.database.run(sql`
      insert into attempt (request_id, campaign_id, contact_id, phone_number, dial_key, status)
      values (gen_random_uuid(), ${id}, ${row.id}, ${MOBILE}, ${'+8613800138000'}, 'accepted')`);
    const contacts = [{ externalId: 'C-1', phoneNumber: HOME, customerName: '新' }];
    expect(required(await api.post(path, { contacts }))).toMatchObject({ createdRows: 0, updatedRows: 1, keptRows: 1 });
    expect((await contactsOf(path))[0]).toMatchObject({ phoneNumber: MOBILE, customerName: '新' });
  });

  test('is unique in the campaign', async () => {
    const { path, row } = await added({ externalId: 'C-1' });
    required(await api.post(path, { contacts: [{ phoneNumber: HOME, externalId: 'C-2' }] }));
    expect(await api.patch(`${path}/${row.id}`, { externalId: 'C-2' })).toMatchObject({ status: 409 });
    const contacts = [
      { phoneNumber: '13900139001', externalId: 'C-3' },
      { phoneNumber: '13900139002', externalId: 'C-3' },
    ];
    expect(required(await api.post(path, { contacts }))).toMatchObject({ createdRows: 1, leftOut: [{ reason: 'repeated', rows: 1 }] });
  });

  test('brought by two imports at once makes one contact', async () => {
    const { path } = await campaignPath();
    const paste = (phoneNumber: string) => api.post(path, { contacts: [{ phoneNumber, externalId: 'C-1' }] });
    const results = await Promise.all([paste(MOBILE), paste(HOME)].map(async answer => required(await answer)));
    expect(results.reduce((sum, { createdRows }) => sum + createdRows, 0)).toBe(1);
    expect(await contactsOf(path)).toHaveLength(1);
  });
});
