import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '#platform/postgres/database.ts';
import { systemIds } from '#kernel/ids.ts';
import { sendToChannel } from '#webhooks/send-to-channel.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { type SmallSmtp, startSmallSmtp } from '#test/support/small-smtp.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { startReceiver, type WebhookReceiver } from '#test/support/webhook-receiver.ts';

let server: TestServer;
let db: Database;
let token: string;
let robot: WebhookReceiver;
let smtp: SmallSmtp;
beforeAll(async () => {
  [robot, smtp] = await Promise.all([startReceiver(), startSmallSmtp()]);
  server = await startTestServer({
    config: { webhooks: { allowPrivateAddresses: true }, agents: { secretKey: '5e'.repeat(32) } },
  });
  db = server.running.context.database;
  token = await server.loginAs('admin');
});
afterAll(async () => {
  await server.close();
  await Promise.all([robot.close(), smtp.close()]);
});
afterEach(async () => {
  await db.run(sql`delete from webhook_endpoint`);
  await db.run(sql`delete from webhook_delivery`);
  robot.received.length = 0;
});

const api = (method: string, path: string, body?: unknown) => server.api(method, path, body, token);
const make = async (body: object) =>
  (await api('POST', '/api/webhooks', { name: '值班', types: ['alert.raised'], ...body })).data.webhook.id as number;
const alert = (title: string, level = 'error') =>
  db.run(sql`insert into runtime_event (level, type, title, message) values (${level}, 'cell.down', ${title}, '恢复后自动继续')`);
const answerWith = (body: object) =>
  robot.answerWith((_message, response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)));

/** Source: RFC 2045 §6.7 */
function quotedPrintable(text: string): string {
  const joined = text.replaceAll('=\n', '').replaceAll('%', '%25');
  return decodeURIComponent(joined.replaceAll(/=([0-9A-F]{2})/g, '%$1'));
}

describe('channels for people [D15.6]', () => {
  test('Feishu gets a flood of alerts as one message, signed', async () => {
    answerWith({ code: 0 });
    const id = await make({ kind: 'feishu', url: `${robot.url}/hook`, secret: 'word', minLevel: 'error' });
    await api('PATCH', `/api/webhooks/${id}`, { status: 'paused' });
    for (let index = 0; index < 25; index += 1) await alert(`节点 ${index} 不可达`);
    await alert('只是警告', 'warning');
    await api('PATCH', `/api/webhooks/${id}`, { status: 'enabled' });
    const [message] = await waitUntil('the message', () => (robot.received.length > 0 ? robot.received : null));
    const { timestamp, sign, content } = message?.json ?? {};
    expect(sign).toBe(createHmac('sha256', `${timestamp}\nword`).update('').digest('base64'));
    expect(content.post.zh_cn.title).toBe('25 条通知');
    await waitUntil('the log', async () => (await db.rows(sql`select from webhook_delivery where state <> 'delivered'`)).length === 0);
    expect(robot.received).toHaveLength(1);
  });

  test('DingTalk that refuses with 200 has not taken it', async () => {
    answerWith({ errcode: 310_000, errmsg: 'sign not match' });
    const id = await make({ kind: 'dingtalk', url: `${robot.url}/send?access_token=t`, secret: 'SECword' });
    expect(await api('POST', `/api/webhooks/${id}/test`)).toMatchObject({
      data: { delivery: { state: 'given_up', statusCode: 200, error: '310000 sign not match' } },
    });
    const query = new URL(robot.received[0]?.path ?? '', robot.url).searchParams;
    expect(query.get('sign')).toBe(
      createHmac('sha256', 'SECword')
        .update(`${query.get('timestamp')}\nSECword`)
        .digest('base64'),
    );
  });

  test('WeCom gets its text', async () => {
    answerWith({ errcode: 0 });
    const id = await make({ kind: 'wecom', url: `${robot.url}/send?key=k` });
    await api('POST', `/api/webhooks/${id}/test`);
    expect(robot.received[0]?.json).toMatchObject({ msgtype: 'text', text: { content: expect.stringContaining('测试消息') } });
  });

  test('mail arrives with its subject and text; a refusal by the server fails the delivery', async () => {
    const mailbox = { kind: 'email', url: smtp.url, sender: 'callout@example.com', recipients: ['ops@example.com', 'boss@example.com'] };
    const id = await make(mailbox);
    const report = { title: '昨日外呼日报', text: '接通率 41.2%', link: 'https://console.example.com/reports/7' };
    await sendToChannel({ db, ids: systemIds }, id, report);
    const [mail] = await waitUntil('the mail', () => (smtp.mails.length > 0 ? smtp.mails : null));
    expect(mail).toMatchObject({ from: 'callout@example.com', to: ['ops@example.com', 'boss@example.com'] });
    expect(mail?.text).toContain(`Subject: =?UTF-8?B?${Buffer.from(report.title).toString('base64')}?=`);
    expect(quotedPrintable(mail?.text ?? '')).toMatch(/接通率 41\.2%\n[\d: -]+\n\nhttps:\/\/console\.example\.com\/reports\/7/);
    smtp.refuse();
    expect(await api('POST', `/api/webhooks/${id}/test`)).toMatchObject({
      data: { delivery: { state: 'given_up', error: 'answer_invalid' } },
    });
  });

  test('a report goes to a program too; an endpoint that is not there takes none', async () => {
    robot.answerWith((_message, response) => void response.writeHead(204).end());
    const id = await make({ url: robot.url });
    await sendToChannel({ db, ids: systemIds }, id, { title: '日报', text: '正文', link: null });
    const [message] = await waitUntil('the report', () => (robot.received.length > 0 ? robot.received : null));
    expect(message?.json).toMatchObject({ type: 'report.ready', data: { title: '日报', text: '正文', link: null } });
    await expect(sendToChannel({ db, ids: systemIds }, 999_999, { title: '', text: '', link: null })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('what is wrong with an address is said at its field', async () => {
    const refusal = async (body: object) => (await api('POST', '/api/webhooks', { name: '值班', types: ['alert.raised'], ...body })).msg;
    expect(await refusal({ url: 'ftp://a.example' })).toContain('url');
    expect(await refusal({ kind: 'email', url: 'https://a.example', recipients: ['a@b.cn'], sender: 'a@b.cn' })).toContain('smtps://');
    expect(await refusal({ kind: 'email', url: smtp.url, sender: 'a@b.cn' })).toContain('recipients');
    expect(await refusal({ url: 'https://a.example', types: ['nothing'] })).toContain('types');
    expect(await refusal({ url: 'https://a.example', types: ['webhook.test'] })).toContain('types');
  });
});
