import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.loginAs('supervisor');
});
afterAll(() => server.close());

const ENTRY = { phoneNumber: '139-0000 0001', purpose: 'marketing', source: '官网表单', wording: '同意接收营销来电', evidence: 'form-1' };

const record = (body: object) => server.api('POST', '/api/consents', body, token);
const list = (query: string) => server.api('GET', `/api/consents${query}`, undefined, token);
const send = (text: string, fields: Record<string, string> = {}) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new File([text], 'consents.csv'));
  return server.api('POST', '/api/consents/import', form, token);
};
const entries = async (number: string) => (await list(`?phoneNumber=${number}`)).data.rows;

describe('POST /api/consents [D8.10]', () => {
  test('records a consent, and a revocation of everything', async () => {
    const given = await record({ ...ENTRY, at: '2026-11-01 09:00', until: '2027-11-01 09:00' });
    expect(given.status).toBe(200);
    expect(given.data.consent).toEqual({
      ...ENTRY,
      id: expect.any(Number),
      kind: 'given',
      at: '2026-11-01T01:00:00.000Z',
      until: '2027-11-01T01:00:00.000Z',
      origin: 'console',
      createdBy: expect.any(Number),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const revoked = await record({ phoneNumber: '13900000001', kind: 'revoked', source: '来电' });
    expect(revoked.data.consent).toMatchObject({ kind: 'revoked', purpose: '', until: null });
    expect((await entries('13900000001')).map(({ kind }: { kind: string }) => kind)).toEqual(['revoked', 'given']);
  });

  test.each([
    ['no source', { ...ENTRY, source: '' }, 'source 不能为空'],
    ['a source that is missing', { ...ENTRY, source: undefined }, 'source 不能为空'],
    ['a consent to nothing', { ...ENTRY, purpose: '' }, 'purpose 不能为空'],
    ['a consent of tomorrow', { ...ENTRY, at: '2099-01-01T00:00:00Z' }, 'at 不能晚于当前时间'],
    ['an end before its beginning', { ...ENTRY, at: '2026-11-01 09:00', until: '2026-10-01 09:00' }, 'until 必须晚于 at'],
    ['a revocation with an end', { ...ENTRY, kind: 'revoked', until: '2099-01-01 09:00' }, 'until'],
    ['text that is no number', { ...ENTRY, phoneNumber: 'abc' }, 'phoneNumber 不是可以拨打的号码'],
    ['a kind that is neither', { ...ENTRY, kind: 'perhaps' }, 'kind'],
  ])('refuses %s, naming the field', async (_, body, text) => {
    const before = (await list('')).data.total;
    const answer = await record(body);
    expect([answer.status, answer.msg]).toEqual([400, expect.stringContaining(text)]);
    expect((await list('')).data.total).toBe(before);
  });

  test('returns a contact that waited for it to the queue', async () => {
    const database = server.running.context.database;
    const contactId = await insertContact(database, { campaignId: await insertCampaign(database), phoneNumber: '13900000009' });
    await database.run(sql`update contact set hold_reason = 'consent_missing' where id = ${contactId}`);
    await record({ ...ENTRY, phoneNumber: '13900000009' });
    expect(await database.first(sql`select hold_reason from contact where id = ${contactId}`)).toEqual({ holdReason: null });
  });
});

describe('POST /api/consents/import [D8.10]', () => {
  test('reads columns in Chinese or English, dates without a time, and what holds for rows without their own', async () => {
    const chinese = await send(
      '手机号,用途,来源,时间,有效期至,状态\n13900000011,marketing,合同,2026-10-01,2027/1/2,同意\n139-0000-0012,,合同,2026-10-02 08:30,,撤回\n',
    );
    expect(chinese).toMatchObject({ status: 200, data: { given: 1, revoked: 1, dryRun: false } });
    expect(await entries('13900000011')).toMatchObject([
      { kind: 'given', at: '2026-09-30T16:00:00.000Z', until: '2027-01-01T16:00:00.000Z', origin: 'import' },
    ]);
    expect(await entries('13900000012')).toMatchObject([{ kind: 'revoked', purpose: '', at: '2026-10-02T00:30:00.000Z' }]);
    const english = await send('phone,evidence\n13900000013,rec-7\n', { purpose: 'survey', source: 'fair', wording: 'yes' });
    expect(english).toMatchObject({ status: 200, data: { given: 1 } });
    expect(await entries('13900000013')).toMatchObject([{ purpose: 'survey', source: 'fair', wording: 'yes', evidence: 'rec-7' }]);
  });

  test('of a file with a faulty row nothing is written, and each fault is named by row and column', async () => {
    const answer = await send(
      '手机号,用途,来源,时间\n13900000021,marketing,合同,\nabc,marketing,合同,\n13900000022,marketing,,2026-13-45\n',
    );
    expect(answer.status).toBe(400);
    for (const text of ['rows[3].phoneNumber', 'rows[4].source', 'rows[4].at']) expect(answer.msg).toContain(text);
    expect(await entries('13900000021')).toEqual([]);
  });

  test('judges a file without writing it', async () => {
    expect(await send('手机号,用途,来源\n13900000031,marketing,合同\n', { dryRun: '1' })).toMatchObject({
      data: { given: 1, dryRun: true },
    });
    expect(await entries('13900000031')).toEqual([]);
  });
});

test('the evidence of one person has all entries, oldest first, and its export is audited [D3.7, D8.10]', async () => {
  await record({ ...ENTRY, phoneNumber: '13900000041', at: '2026-10-01 09:00' });
  await record({ phoneNumber: '+86 13900000041', kind: 'revoked', source: '来电' });
  await record({ ...ENTRY, phoneNumber: '13900000042' });
  const { data } = await server.api('GET', '/api/consents/evidence/139-0000-0041', undefined, token);
  expect(data).toMatchObject({ phoneNumber: '+8613900000041', entries: [{ kind: 'given', wording: ENTRY.wording }, { kind: 'revoked' }] });
  const audits = await server.api('GET', '/api/audit-logs?q=consent.exported', undefined, await server.loginAs('admin'));
  expect(audits.data.rows[0]).toMatchObject({ action: 'consent.exported', targetId: '***0041', detail: { entries: 2 } });
});

test('the ledger is searched and narrowed [D8.10]', async () => {
  await record({ ...ENTRY, phoneNumber: '13900000051', purpose: 'loan', source: '柜台 7' });
  expect((await list('?q=柜台')).data.rows).toHaveLength(1);
  expect((await list('?purpose=loan')).data.rows).toHaveLength(1);
  expect((await list('?purpose=loan&kind=revoked')).data.rows).toHaveLength(0);
});
