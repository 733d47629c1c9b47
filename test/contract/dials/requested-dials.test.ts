import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { startTestServer } from '#test/support/server.ts';
import { ask } from '../graphql/graphql-client.ts';
import { ManagementApi, required } from '../campaigns/builders.ts';

let api: ManagementApi;

beforeAll(async () => {
  api = await ManagementApi.start();
});
afterAll(() => api.server.close());

async function post(campaignId: number, body: unknown, key: string, url = api.server.url) {
  const answer = await fetch(`${url}/api/campaigns/${campaignId}/dials`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${api.admin}`, 'Idempotency-Key': key },
    body: JSON.stringify(body),
  });
  // Tests read responses of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: answer.status, ...((await answer.json()) as { code: string; msg: string; data: any }) };
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
let next = 13_700_000_000;
const aNumber = () => String((next += 1));

async function contactsOf(campaignId: number): Promise<number> {
  return required(await api.get(`/api/campaigns/${campaignId}/contacts`)).total;
}

describe('POST /api/campaigns/:id/dials [D7.15]', () => {
  test('answers for each dial, and the dial can be found by either name', async () => {
    const { id } = await api.campaign();
    const notAfter = new Date(Date.now() + 3_600_000).toISOString();
    const dials = [
      { phoneNumber: aNumber(), customerName: '张三', metadata: { order: '7' }, externalId: 'order-7', priority: 5, notAfter },
      { phoneNumber: '110' },
    ];
    const placed = required(await api.post(`/api/campaigns/${id}/dials`, { dials }));
    const contactId = placed.dials[0].contactId;
    expect(placed).toEqual({
      accepted: 1,
      refused: 1,
      waitsForStart: true,
      dials: [
        { index: 0, status: 'accepted', contactId: expect.any(Number), field: null, reason: null, message: null },
        {
          index: 1,
          status: 'refused',
          contactId: null,
          field: 'phoneNumber',
          reason: 'barredCode',
          message: 'phoneNumber 是应急号码或服务短号，不能呼叫',
        },
      ],
    });
    const found = required(await api.get(`/api/campaigns/${id}/dials/${contactId}`));
    expect(found.dial).toMatchObject({ contactId, externalId: 'order-7', state: 'waiting', priority: 5, notAfter, attempts: [] });
    expect(found.dial.notDialed).toMatchObject({ reason: 'paused', detail: 'campaign_draft' });
    expect(required(await api.get(`/api/campaigns/${id}/dials?externalId=order-7`))).toEqual(found);
    expect(required(await api.get(`/api/campaigns/${id}/contacts`)).rows[0]).toMatchObject({
      customerName: '张三',
      metadata: { order: '7' },
    });
    expect(await api.get(`/api/campaigns/${id}/dials?externalId=order-8`)).toMatchObject({ status: 404 });
  });

  test.each([
    ['no dials', { dials: [] }, 'dials'],
    ['a dial without a number', { dials: [{ phoneNumber: aNumber() }, {}] }, 'dials[1].phoneNumber'],
    ['a priority beyond 9', { dials: [{ phoneNumber: aNumber(), priority: 10 }] }, 'dials[0].priority'],
    ['an id that is too long', { dials: [{ phoneNumber: aNumber(), externalId: 'x'.repeat(129) }] }, 'dials[0].externalId'],
    ['an instant that is none', { dials: [{ phoneNumber: aNumber(), notAfter: '明天' }] }, 'dials[0].notAfter'],
    ['1001 dials', { dials: Array.from({ length: 1_001 }, () => ({ phoneNumber: '1' })) }, 'dials'],
  ])('with %s is refused as a whole', async (_name, body, field) => {
    const { id } = await api.campaign();
    const refused = await api.post(`/api/campaigns/${id}/dials`, body);
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.msg).toContain(field);
    expect(await contactsOf(id)).toBe(0);
  });

  test('by one key at two servers at once, and again when one of them has gone, is executed once and has one answer', async () => {
    const { id } = await api.campaign();
    const second = await startTestServer({ beside: api.server });
    const [key, body] = [randomUUID(), { dials: Array.from({ length: 1_000 }, () => ({ phoneNumber: aNumber() })) }];
    const urls = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? api.server.url : second.url));
    const answers = await Promise.all(urls.map(url => post(id, body, key, url)));
    await second.close();
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const first = answers.find(({ status }) => status === 200);
    expect(first?.data.accepted).toBe(1_000);
    expect(await post(id, body, key)).toEqual(first);
    expect(await contactsOf(id)).toBe(1_000);
    expect(await post(id, { dials: [{ phoneNumber: aNumber() }] }, key)).toMatchObject({ status: 422 });
  });

  test('a thousand refusals are kept whole for a repetition', async () => {
    const { id } = await api.campaign();
    const [key, body] = [randomUUID(), { dials: Array.from({ length: 1_000 }, () => ({ phoneNumber: '110' })) }];
    const first = await post(id, body, key);
    expect(first).toMatchObject({ status: 200, data: { refused: 1_000 } });
    expect(await post(id, body, key)).toEqual(first);
  });

  test('lets a campaign that has completed run again, but not for others who wait in it, and says so [D7.15]', async () => {
    const { id } = await api.campaign();
    const complete = () => api.server.running.context.database.run(sql`update campaign set status = 'completed' where id = ${id}`);
    const ofStatus = async () => required(await api.get(`/api/campaigns/${id}`)).campaign.status;
    const request = async () =>
      required(await api.post(`/api/campaigns/${id}/dials`, { dials: [{ phoneNumber: aNumber(), notBefore: inAnHour() }] }));
    await complete();
    expect(await request()).toMatchObject({ accepted: 1, waitsForStart: false });
    expect(await ofStatus()).toBe('running');
    expect(await request()).toMatchObject({ accepted: 1, waitsForStart: false });
    await complete();
    expect(await request()).toMatchObject({ accepted: 1, waitsForStart: true });
    expect(await ofStatus()).toBe('completed');
  });

  test('in GraphQL is the same', async () => {
    const { id } = await api.campaign();
    const notAfter = new Date(Date.now() + 3_600_000).toISOString();
    const query = `mutation ($id: ID!, $dials: [DialInput!]!) {
      placeDials(campaignId: $id, dials: $dials) { ... on PlacedDials { accepted dials { index status contactId reason } } ... on Refusal { code field } } }`;
    const variables = {
      id: String(id),
      dials: [{ phoneNumber: aNumber(), externalId: 'g-1', notAfter, priority: 2 }, { phoneNumber: '不是号码' }],
    };
    const { data } = await ask(api.server, api.admin, query, variables);
    expect(data.placeDials).toMatchObject({ accepted: 1, dials: [{ status: 'ACCEPTED' }, { status: 'REFUSED', reason: 'undiallable' }] });
    const found = await ask(
      api.server,
      api.admin,
      `query ($id: ID!) { dial(campaignId: $id, externalId: "g-1") { state priority notAfter contact { phoneNumber } attempts { id } } }`,
      { id: String(id) },
    );
    expect(found.data.dial).toMatchObject({ state: 'WAITING', priority: 2, notAfter, contact: { phoneNumber: expect.any(String) } });
    const both = await ask(api.server, api.admin, `query ($id: ID!) { dial(campaignId: $id, externalId: "a", contactId: "1") { state } }`, {
      id: String(id),
    });
    expect(both.errors).toHaveLength(1);
  });
});
