import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { Database } from '#platform/postgres/database.ts';
import { publishEvent } from '#webhooks/publish-event.ts';
import { giveUpOld, removeOld, removeOrphans } from '#webhooks/delivery-store.ts';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { startReceiver, verify, type WebhookReceiver } from '#test/support/webhook-receiver.ts';

let server: TestServer;
let db: Database;
let token: string;
let receiver: WebhookReceiver;
beforeAll(async () => {
  server = await startTestServer({
    config: { webhooks: { allowPrivateAddresses: true }, agents: { secretKey: '5e'.repeat(32) } },
  });
  db = server.running.context.database;
  token = await server.loginAs('admin');
});
afterAll(async () => {
  await server.close();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await db.run(sql`delete from webhook_endpoint`);
  await db.run(sql`delete from webhook_delivery`);
  await receiver.close();
});

const api = (method: string, path: string, body?: unknown) => server.api(method, path, body, token);

async function endpoint(body: object = {}): Promise<{ id: number; secret: string }> {
  const { data } = await api('POST', '/api/webhooks', { name: '订单系统', url: receiver.url, types: ['attempt.settled'], ...body });
  return { id: data.webhook.id, secret: data.secret };
}

interface Call {
  id: number;
  requestId: string;
  contactId: number;
  campaignId: number;
}

async function openCall(): Promise<Call> {
  const campaignId = await insertCampaign(db, { name: '春季回访' });
  const contactId = await insertContact(db, { campaignId, status: 'submitted' });
  const id = await insertAttempt(db, { campaignId, contactId, status: 'dialing', hasResult: false });
  const row = await db.first(sql<{ requestId: string }>`select request_id from attempt where id = ${id}`);
  return { id, requestId: row?.requestId ?? '', contactId, campaignId };
}

const answer = ({ id }: Call) => db.run(sql`update attempt set status = 'answered', answered_at = now() where id = ${id}`);
const settle = ({ id, contactId }: Call) =>
  db.transaction(async tx => {
    await tx.run(sql`
      update attempt set status = 'completed', ended_at = now(), duration_seconds = 31, classification = 'A', payload = '{"amount":7}', result_at = now()
      where id = ${id}`);
    await tx.run(sql`update contact set status = 'completed' where id = ${contactId}`);
  });
const deliveries = () => db.rows(sql<{ type: string; state: string }>`select type, state from webhook_delivery order by id`);
const untilReceived = (count: number) =>
  waitUntil(`${count} messages`, () => (receiver.received.length >= count ? receiver.received : null));

describe('what a program is told [D15.2]', () => {
  test('a call in order, numbered without a gap, signed, with one complete event at its end', async () => {
    const { secret } = await endpoint({ types: ['attempt.answered', 'attempt.settled', 'contact.completed'] });
    const call = await openCall();
    await answer(call);
    await settle(call);
    const received = await untilReceived(3);
    expect(received.map(({ json }) => [json.type, json.sequence, json.key])).toEqual([
      ['attempt.answered', 1, call.requestId],
      ['attempt.settled', 2, call.requestId],
      ['contact.completed', 3, call.requestId],
    ]);
    for (const message of received) expect(verify(secret, message)).toEqual(message.json);
    expect(received[1]?.json).toMatchObject({
      version: 1,
      data: {
        requestId: call.requestId,
        campaignName: '春季回访',
        status: 'completed',
        durationSeconds: 31,
        classification: 'A',
        result: { amount: 7 },
        isResultReported: true,
        contactStatus: 'completed',
      },
    });
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
  });

  test('a late result is a revision, a test call is nothing', async () => {
    await endpoint({ types: ['attempt.settled', 'attempt.revised'] });
    const [call, trial] = [await openCall(), await openCall()];
    await db.run(sql`update attempt set tested_by = 1 where id = ${trial.id}`);
    await settle(trial);
    await db.run(sql`update attempt set status = 'outcome_unknown', ended_at = now() where id = ${call.id}`);
    await untilReceived(1);
    await settle(call);
    const received = await untilReceived(2);
    expect(received.map(({ json }) => [json.type, json.data.status])).toEqual([
      ['attempt.settled', 'outcome_unknown'],
      ['attempt.revised', 'completed'],
    ]);
    expect(await deliveries()).toHaveLength(2);
  });

  test('callbacks, opt-outs, campaigns, alerts and jobs', async () => {
    const types = ['callback.promised', 'contact.opted_out', 'campaign.started', 'alert.raised', 'import.completed', 'report.ready'];
    await endpoint({ types });
    const { campaignId, contactId } = await openCall();
    await db.transaction(async tx => {
      await tx.run(
        sql`insert into callback (campaign_id, contact_id, due_at, source) values (${campaignId}, ${contactId}, now(), 'console')`,
      );
      await tx.run(
        sql`insert into do_not_call (phone_number, dial_key, reason, source) values ('13500000001', '13500000001', '投诉', 'manual')`,
      );
      await tx.run(sql`insert into runtime_event (level, type, title, campaign_id) values
        ('info', 'campaign.started', '启动', ${campaignId}), ('error', 'cell.down', '交换机 a 不可达', null), ('info', 'cell.up', '恢复', null)`);
      await tx.run(sql`
        insert into job (kind, title, input, owner_name, owner, state) values ('import', '名单.csv', '{}', 'admin', '{}', 'running'), ('held', '', '{}', 'admin', '{}', 'running')`);
      await tx.run(
        sql`update job set state = 'done', finished_at = now(), done = 3, result = '{"counts":{"createdRows":3},"file":"a/b"}' where kind in ('import', 'held')`,
      );
      await publishEvent(tx, {
        type: 'report.ready',
        key: 'report:1',
        campaignId: null,
        data: { title: '日报', text: '接通率', link: null },
      });
    });
    const received = await untilReceived(6);
    expect(new Set(received.map(({ json }) => json.type))).toEqual(new Set(types));
    const said = (type: string) => received.find(({ json }) => json.type === type)?.json.data;
    expect(said('contact.opted_out')).toMatchObject({ phoneNumber: '13500000001', reason: '投诉', source: 'manual' });
    expect(said('alert.raised')).toMatchObject({ level: 'error', eventType: 'cell.down', title: '交换机 a 不可达' });
    expect(said('import.completed')).toMatchObject({ kind: 'import', title: '名单.csv', state: 'done', done: 3, error: null });
    expect(said('import.completed').result).toEqual({ counts: { createdRows: 3 } });
    expect(said('report.ready')).toEqual({ title: '日报', text: '接通率', link: null });
  });

  test('a finished export sends export.completed', async () => {
    await endpoint({ types: ['export.completed'] });
    const { data } = await api('POST', '/api/exports', { kind: 'do_not_call', columns: ['phoneNumber'] });
    const [message] = await untilReceived(1);
    expect(message?.json).toMatchObject({
      type: 'export.completed',
      data: { jobId: Number(data.job.id), kind: 'export', state: 'done', result: { mediaType: 'text/csv; charset=utf-8' }, error: null },
    });
  });

  test('nobody who subscribes: nothing is written', async () => {
    await endpoint({ types: ['import.completed'] });
    const other = await openCall();
    await endpoint({ campaignIds: [other.campaignId] });
    const call = await openCall();
    await answer(call);
    await settle(call);
    expect(await deliveries()).toEqual([]);
    await db.run(sql`update webhook_endpoint set status = 'disabled'`);
    await settle(other);
    expect(await deliveries()).toEqual([]);
  });

  test('a message whose call has been deleted is not sent', async () => {
    const { id } = await endpoint();
    await api('PATCH', `/api/webhooks/${id}`, { status: 'paused' });
    const [gone, stays] = [await openCall(), await openCall()];
    await settle(gone);
    await settle(stays);
    await db.run(sql`update contact set last_attempt_id = null where id = ${gone.contactId}`);
    await db.run(sql`delete from attempt where id = ${gone.id}`);
    await api('PATCH', `/api/webhooks/${id}`, { status: 'enabled' });
    const received = await untilReceived(1);
    expect(received.map(({ json }) => json.key)).toEqual([stays.requestId]);
    await waitUntil('the log', async () => (await deliveries()).every(({ state }) => state === 'delivered'));
    expect(await deliveries()).toHaveLength(1);
  });
});

describe('receivers that do not behave [D15.3]', () => {
  test('a failure holds up the call that it concerns, and nothing else', async () => {
    await endpoint({ types: ['attempt.answered', 'attempt.settled'] });
    const [stuck, fine] = [await openCall(), await openCall()];
    receiver.answerWith(({ json }, response) => void response.writeHead(json.key === stuck.requestId ? 500 : 204).end());
    for (const call of [stuck, fine]) await answer(call);
    for (const call of [stuck, fine]) await settle(call);
    await waitUntil('the other call', () => receiver.received.filter(({ json }) => json.key === fine.requestId).length === 2);
    expect(receiver.received.some(({ json }) => json.key === stuck.requestId && json.type === 'attempt.settled')).toBe(false);
    receiver.answerWith((_message, response) => void response.writeHead(204).end());
    await db.run(sql`update webhook_delivery set due_at = now() where state = 'waiting'`);
    await waitUntil('the call that was held up', async () => (await deliveries()).every(({ state }) => state === 'delivered'));
    const ofStuck = receiver.received.filter(({ json }) => json.key === stuck.requestId).map(({ json }) => [json.type, json.sequence]);
    expect(ofStuck.slice(-2)).toEqual([
      ['attempt.answered', 1],
      ['attempt.settled', 2],
    ]);
  });

  test('one that is dead gets one try at a time, and everything once it is back', async () => {
    receiver.answerWith((_message, response) => response.destroy());
    const { id } = await endpoint();
    for (let count = 0; count < 40; count += 1) await settle(await openCall());
    await waitUntil('failures', async () => (await api('GET', '/api/webhooks')).data.rows[0].failures >= 2);
    const { data } = await api('GET', '/api/webhooks');
    expect(data.rows[0]).toMatchObject({ id, lastError: 'unreachable', waiting: 40 });
    const tries = receiver.received.length;
    expect(tries).toBeLessThan(40);
    receiver.answerWith((_message, response) => void response.writeHead(204).end());
    await db.run(sql`update webhook_endpoint set rest_until = null`);
    await waitUntil('all of them', async () => (await deliveries()).every(({ state }) => state === 'delivered'));
    expect(new Set(receiver.received.map(({ json }) => json.key)).size).toBe(40);
    expect((await api('GET', '/api/webhooks')).data.rows[0]).toMatchObject({ failures: 0, failingSince: null, waiting: 0 });
  });

  test('one that answers without end is cut, one that redirects is not followed', async () => {
    receiver.answerWith((_message, response) => {
      response.writeHead(200);
      const flood = setInterval(() => response.write('x'.repeat(65_536)), 1);
      response.on('close', () => clearInterval(flood));
    });
    const { id } = await endpoint();
    await settle(await openCall());
    const untilState = (state: string) =>
      waitUntil(state, async () => (await api('GET', `/api/webhooks/${id}/deliveries?state=${state}`)).data.rows[0]);
    const delivered = await untilState('delivered');
    expect(delivered.answer).toHaveLength(1_024);
    receiver.answerWith((_message, response) => void response.writeHead(302, { Location: `${receiver.url}/elsewhere` }).end());
    await settle(await openCall());
    await waitUntil('the refusal', async () => (await untilState('waiting')).error === 'HTTP 302');
    expect(receiver.received.some(({ path }) => path === '/elsewhere')).toBe(false);
  });

  test('one that says 410, or has failed for five days, is disabled with an alert', async () => {
    const gone = await endpoint();
    receiver.answerWith((_message, response) => void response.writeHead(410).end());
    await settle(await openCall());
    const disabled = async (id: number) => (await api('GET', '/api/webhooks')).data.rows.find((row: { id: number }) => row.id === id);
    await waitUntil('410', async () => (await disabled(gone.id)).status === 'disabled');
    expect(await disabled(gone.id)).toMatchObject({ disabledReason: 'gone' });
    const dead = await endpoint();
    await db.run(sql`update webhook_endpoint set failing_since = now() - interval '121 hours', failures = 9 where id = ${dead.id}`);
    receiver.answerWith((_message, response) => void response.writeHead(503).end());
    await settle(await openCall());
    await waitUntil('five days', async () => (await disabled(dead.id)).status === 'disabled');
    expect(await disabled(dead.id)).toMatchObject({ disabledReason: 'failing' });
    const alerts = await db.rows(sql<{ endpointId: number }>`
      select (detail ->> 'endpointId')::int as endpoint_id from runtime_event where type = 'webhook.disabled' order by id`);
    expect(alerts.map(({ endpointId }) => endpointId)).toEqual([gone.id, dead.id]);
    await api('PATCH', `/api/webhooks/${dead.id}`, { status: 'enabled' });
    expect(await disabled(dead.id)).toMatchObject({ status: 'enabled', failures: 0, failingSince: null });
  });

  test('what 72 hours did not bring is given up; its numbers stay its own', async () => {
    const { id } = await endpoint({ types: ['attempt.answered', 'attempt.settled', 'attempt.revised'] });
    await api('PATCH', `/api/webhooks/${id}`, { status: 'paused' });
    const call = await openCall();
    await answer(call);
    await settle(call);
    await db.run(sql`update webhook_delivery set queued_at = now() - interval '73 hours'`);
    expect(await giveUpOld(db)).toBe(2);
    await db.run(sql`update attempt set intent = '后来' where id = ${call.id}`);
    await api('PATCH', `/api/webhooks/${id}`, { status: 'enabled' });
    const [message] = await untilReceived(1);
    expect(message?.json).toMatchObject({ type: 'attempt.revised', sequence: 3 });
    await db.run(sql`update webhook_delivery set created_at = now() - interval '31 days'`);
    await waitUntil('the log', async () => (await deliveries()).every(({ state }) => state !== 'waiting'));
    expect(await removeOld(db, 30)).toBe(3);
  });
});

describe('what people do with an endpoint [D15.5]', () => {
  test('a test answers at once what came of it', async () => {
    const { id, secret } = await endpoint();
    expect(await api('POST', `/api/webhooks/${id}/test`)).toMatchObject({ data: { delivery: { state: 'delivered', statusCode: 204 } } });
    const [message] = receiver.received;
    if (message) expect(verify(secret, message)).toMatchObject({ type: 'webhook.test' });
    receiver.answerWith((_message, response) => void response.writeHead(500).end('broken'));
    expect(await api('POST', `/api/webhooks/${id}/test`)).toMatchObject({
      data: { delivery: { state: 'given_up', statusCode: 500, error: 'HTTP 500', answer: 'broken', tries: 1 } },
    });
  });

  test('a range is replayed with its ids and numbers', async () => {
    const { id } = await endpoint();
    await settle(await openCall());
    const [first] = await untilReceived(1);
    const [from, to] = [Date.now() - 60_000, Date.now() + 60_000].map(at => new Date(at).toISOString());
    await waitUntil('it is kept', async () => (await deliveries())[0]?.state === 'delivered');
    expect(await api('POST', `/api/webhooks/${id}/replay`, { from, to, onlyFailed: 1 })).toMatchObject({ data: { queued: 0 } });
    expect(await api('POST', `/api/webhooks/${id}/replay`, { from, to })).toMatchObject({ data: { queued: 1 } });
    const [, again] = await untilReceived(2);
    expect(again?.json).toEqual(first?.json);
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(await api('POST', `/api/webhooks/${id}/replay`, { from: to, to: from })).toMatchObject({ status: 400 });
  });

  test('both secrets sign for a day after a change', async () => {
    const { id, secret } = await endpoint();
    const { data } = await api('POST', `/api/webhooks/${id}/rotate-secret`);
    expect(data.secret).not.toBe(secret);
    expect(data.webhook.previousUntil).not.toBeNull();
    await settle(await openCall());
    const [message] = await untilReceived(1);
    if (message) for (const known of [secret, data.secret]) expect(verify(known, message)).toEqual(message.json);
    await db.run(sql`update webhook_endpoint set previous_until = now()`);
    await settle(await openCall());
    const [, later] = await untilReceived(2);
    if (later) expect(() => verify(secret, later)).toThrow('No matching signature');
  });

  test('what is deleted takes its messages along, also those of the same moment', async () => {
    const { id } = await endpoint();
    await api('PATCH', `/api/webhooks/${id}`, { status: 'paused' });
    await settle(await openCall());
    await api('DELETE', `/api/webhooks/${id}`);
    expect(await deliveries()).toEqual([]);
    await db.run(sql`insert into webhook_delivery (endpoint_id, type, key, subject) values (${id}, 'attempt.settled', 'k', '{}')`);
    expect(await removeOrphans(db)).toBe(1);
  });

  test('neither the database nor a later answer contains a readable secret', async () => {
    const { secret } = await endpoint();
    await endpoint({ kind: 'dingtalk', secret: 'SECreadable' });
    const rows = JSON.stringify(await db.rows(sql`select * from webhook_endpoint`));
    const { text } = await api('GET', '/api/webhooks');
    for (const word of [secret.replace('whsec_', ''), 'SECreadable']) {
      expect(rows).not.toContain(word);
      expect(text).not.toContain(word);
    }
  });
});
