import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { escapeXml } from '#agents/phone-directory-page.ts';
import { INTERNAL_TOKEN, startTestServer, type TestServer } from '#test/support/server.ts';

const REALM = 'phones.test';
const PATH = '/internal/freeswitch/directory';
const NOT_FOUND = /<section name="result"><result status="not found"\/><\/section>/;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ config: { agents: { secretKey: 'ab'.repeat(32), sipRealm: REALM } } });
  const token = await server.loginAs('admin');
  for (const agent of [
    { name: '王芳', phoneExtension: '1001', sipPassword: 'p&ss"1001' },
    { name: '李雷', phoneExtension: '1002', sipPassword: 'secret-1002', authUsername: 'li.lei' },
    { name: '无密码', phoneExtension: '1003' },
    { name: '停用', phoneExtension: '1004', sipPassword: 'secret-1004', isEnabled: 0 },
  ]) {
    expect((await server.api('POST', '/api/agents', agent, token)).status).toBe(200);
  }
});
afterAll(() => server.close());

type Fields = readonly (readonly [string, string])[];

/** Sends a request like mod_xml_curl; later fields may repeat earlier ones. */
function ask(fields: Fields, credentials: string | null = `freeswitch:${INTERNAL_TOKEN}`, change: object = {}): Promise<Response> {
  const form = new URLSearchParams([
    ...Object.entries({ hostname: 'cell-1', section: 'directory', tag_name: 'domain', key_name: 'name', key_value: REALM, ...change }),
    ...fields.map(([name, value]): [string, string] => [name, value]),
  ]);
  const authorization = credentials === null ? {} : { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  return fetch(`${server.url}${PATH}`, { method: 'POST', body: form, headers: { ...authorization } });
}

const toCall = (user: string) =>
  [
    ['action', 'user_call'],
    ['key', 'id'],
    ['user', user],
    ['domain', REALM],
  ] as const;
const toRegister = (user: string, extension: string) =>
  [
    ['action', 'sip_auth'],
    ['sip_auth_method', 'REGISTER'],
    ['sip_to_user', extension],
    ['sip_from_user', extension],
    ['user', user],
  ] as const;

async function textOf(answer: Promise<Response>): Promise<string> {
  const response = await answer;
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8']);
  return response.text();
}

const hashOf = (name: string, password: string) => createHash('md5').update(`${name}:${REALM}:${password}`).digest('hex');

describe('the directory that FreeSWITCH requests', () => {
  test('a registering phone gets the hash of its password, never the password [D12.2]', async () => {
    const text = await textOf(ask(toRegister('1001', '1001')));
    expect(text).toContain(`<domain name="${REALM}"><users><user id="1001">`);
    expect(text).toContain(`<param name="a1-hash" value="${hashOf('1001', 'p&ss"1001')}"/>`);
    expect(text).toContain('<variable name="user_context" value="phones"/>');
    expect(text).not.toMatch(/p&(?:amp;)?ss|name="password"/);
  });

  test('a phone to be called gets the way to it, without a hash', async () => {
    const text = await textOf(ask(toCall('1001')));
    expect(text).toContain(`<param name="dial-string" value="sofia/agents/1001%${REALM}"/>`);
    expect(text).not.toContain('a1-hash');
  });

  test('a login name other than the extension opens only its own extension', async () => {
    expect(await textOf(ask(toRegister('li.lei', '1002')))).toContain(hashOf('li.lei', 'secret-1002'));
    expect(await textOf(ask(toRegister('li.lei', '1001')))).toMatch(NOT_FOUND);
    expect(await textOf(ask(toRegister('1002', '1002')))).toMatch(NOT_FOUND);
    expect(await textOf(ask(toRegister('1001', '1002')))).toMatch(NOT_FOUND);
  });

  test('a call from a phone is authorised by the extension that it comes from', async () => {
    const invite = (from: string) =>
      [
        ['action', 'sip_auth'],
        ['sip_auth_method', 'INVITE'],
        ['sip_to_user', '8800'],
        ['sip_from_user', from],
        ['user', '1001'],
      ] as const;
    expect(await textOf(ask(invite('1001')))).toContain('a1-hash');
    expect(await textOf(ask(invite('1002')))).toMatch(NOT_FOUND);
  });

  test.each([
    ['nobody of that extension', toCall('4711')],
    ['a disabled agent', toCall('1004')],
    ['a disabled agent that registers', toRegister('1004', '1004')],
    ['an agent without a password that registers', toRegister('1003', '1003')],
    ['hostile text', toRegister('"><user id="1001"/>', "1001' or 1=1")],
    ['nothing about one phone', [['purpose', 'gateways']] as const],
  ])('%s is "not found"', async (_, fields) => {
    expect(await textOf(ask(fields))).toMatch(NOT_FOUND);
  });

  test.each([
    ['another domain', { key_value: 'elsewhere' }],
    ['another section', { section: 'dialplan' }],
  ])('%s is not served', async (_, change) => {
    expect(await textOf(ask(toCall('1001'), undefined, change))).toMatch(NOT_FOUND);
  });

  test('text that no store can hold is refused [D2.2]', async () => {
    expect((await ask(toCall('1001\u0000'))).status).toBe(400);
  });

  test('a variable of the call that is named `user` does not select the phone', async () => {
    expect(
      await textOf(
        ask([
          ['action', 'user_call'],
          ['user', '1002'],
          ['key', 'id'],
          ['user', '1001'],
        ]),
      ),
    ).toContain('sofia/agents/1001%');
  });

  test('the internal token is the password; a session token is not [D3.6]', async () => {
    const session = await server.loginAs('admin');
    for (const credentials of [null, 'freeswitch:', 'freeswitch:wrong', `freeswitch:${session}`, INTERNAL_TOKEN]) {
      expect((await ask(toCall('1001'), credentials)).status).toBe(401);
    }
  });

  test('only a form is accepted, and only by POST [D2.2]', async () => {
    const headers = { Authorization: `Basic ${btoa(`x:${INTERNAL_TOKEN}`)}`, 'Content-Type': 'application/json' };
    expect((await fetch(`${server.url}${PATH}`, { method: 'POST', body: '{}', headers })).status).toBe(415);
    const wrong = await fetch(`${server.url}${PATH}`);
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
    const huge = await fetch(`${server.url}${PATH}`, {
      method: 'POST',
      body: new URLSearchParams({ user: 'x'.repeat(70_000) }),
      headers: { Authorization: headers.Authorization },
    });
    expect(huge.status).toBe(413);
  });
});

test('a server with open internal endpoints has no directory, because hashes are passwords', async () => {
  const open = await startTestServer({ config: { server: { serviceApi: { authToken: '', open: true } } } });
  try {
    expect((await fetch(`${open.url}${PATH}`, { method: 'POST', body: new URLSearchParams({ a: '1' }) })).status).toBe(404);
  } finally {
    await open.close();
  }
});

test('characters with a meaning in XML are escaped, and those that XML cannot carry are left out', () => {
  expect(escapeXml(`<a b="c" d='e'>&\u0000\u001f\ud800`)).toBe('&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;\ufffd');
});
