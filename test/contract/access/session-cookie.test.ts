import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ADMIN, startTestServer, type TestServer } from '#test/support/server.ts';
import { socketUrl } from '../graphql/graphql-client.ts';
import { openSocket } from '../graphql/hand-made-socket.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const JSON_BODY = { 'Content-Type': 'application/json' };

/** Signs in as a page of the server does. */
async function signIn(): Promise<{ cookie: string; proof: string; setCookie: string; token: string }> {
  const headers = { ...JSON_BODY, 'X-Callout-Session': 'cookie' };
  const response = await fetch(`${server.url}/api/auth/login`, { method: 'POST', headers, body: JSON.stringify(ADMIN) });
  const setCookie = response.headers.get('set-cookie') ?? '';
  const { data } = (await response.json()) as { data: { token: string } };
  return { setCookie, cookie: setCookie.split(';')[0] ?? '', proof: response.headers.get('x-callout-session') ?? '', token: data.token };
}

const statusOf = async (path: string, headers: Record<string, string>, method = 'GET') =>
  (await fetch(server.url + path, { method, headers })).status;

describe('a session in a cookie [D3.10]', () => {
  test('only a login that asks for it gets one, hidden from scripts and from other sites', async () => {
    const { setCookie, proof, token } = await signIn();
    expect(setCookie).toBe(`callout_session=${token}; Path=/; HttpOnly; SameSite=Strict`);
    expect(proof).toMatch(/^[\w-]{43}$/);
    expect(proof).not.toBe(token);
    const plain = await fetch(`${server.url}/api/auth/login`, { method: 'POST', headers: JSON_BODY, body: JSON.stringify(ADMIN) });
    expect([plain.headers.get('set-cookie'), plain.headers.get('x-callout-session')]).toEqual([null, null]);
  });

  test('counts over REST beside its own proof alone', async () => {
    const [{ cookie, proof }, other] = [await signIn(), await signIn()];
    expect(await statusOf('/api/lines', { cookie, 'X-Callout-Session': proof })).toBe(200);
    expect(await statusOf('/api/lines', { cookie: `theme=dark; ${cookie}; x=1`, 'X-Callout-Session': proof })).toBe(200);
    for (const sent of ['cookie', '', other.proof, `${proof}x`]) {
      expect(await statusOf('/api/lines', { cookie, 'X-Callout-Session': sent })).toBe(401);
    }
    expect(await statusOf('/api/lines', { cookie })).toBe(401);
    expect(await statusOf('/api/lines', { 'X-Callout-Session': proof })).toBe(401);
  });

  test('a preflight never allows the header to another origin', async () => {
    const response = await fetch(`${server.url}/api/lines`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://other.example', 'Access-Control-Request-Headers': 'x-callout-session' },
    });
    expect(response.headers.get('access-control-allow-headers') ?? '').not.toMatch(/callout-session/i);
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('counts over GraphQL, over HTTP and on a socket', async () => {
    const { cookie, proof } = await signIn();
    const ask = async (headers: Record<string, string>) => {
      const body = JSON.stringify({ query: '{ me { user { username } } }' });
      const response = await fetch(`${server.url}/graphql`, { method: 'POST', headers: { ...JSON_BODY, cookie, ...headers }, body });
      return ((await response.json()) as { data: unknown }).data;
    };
    expect(await ask({ 'X-Callout-Session': proof })).toEqual({ me: { user: { username: 'admin' } } });
    expect(await ask({})).toEqual({ me: { user: null } });
    const known = await openSocket(socketUrl(server), { headers: { cookie } });
    known.say({ type: 'connection_init', payload: { session: proof } });
    await known.untilReceived('connection_ack');
    const unknown = await openSocket(socketUrl(server), { headers: { cookie } });
    unknown.say({ type: 'connection_init', payload: {} });
    expect(await unknown.untilClosed()).toMatchObject({ code: 4401 });
  });

  test('a sign-out ends the session and clears the cookie', async () => {
    const { cookie, proof } = await signIn();
    const headers = { cookie, 'X-Callout-Session': proof };
    const response = await fetch(`${server.url}/api/auth/logout`, { method: 'POST', headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('set-cookie')).toBe('callout_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict');
    expect(await statusOf('/api/lines', headers)).toBe(401);
  });
});
