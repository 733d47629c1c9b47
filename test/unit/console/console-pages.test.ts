import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import { type BuiltConsole, consoleFiles, consolePages } from '#serve/console-part.ts';

const BUILT: BuiltConsole = {
  page: '<head><base href="/" /></head><script src="./assets/main.js"></script>',
  files: (_request, response) => void response.end('a file'),
};

const PHONE_SERVERS = ['wss://phone.example.com:7443/sip', 'wss://phone.example.com:7443'];

let built: BuiltConsole | null = BUILT;
let url = '';
const app = express();
consoleFiles(() => Promise.resolve(built), PHONE_SERVERS)(app);
app.get('/api/campaigns', (_request, response) => void response.json({ code: '00000' }));
app.use(consolePages(() => Promise.resolve(built), PHONE_SERVERS));
const server = app.listen(0, '127.0.0.1');

beforeAll(async () => {
  if (!server.listening) await new Promise(resolve => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise(resolve => server.close(resolve)));

function open(path: string, accept = 'text/html,application/xhtml+xml'): Promise<Response> {
  return fetch(url + path, { headers: { accept } });
}

describe('a browser', () => {
  test.each([
    ['/', './'],
    ['/campaigns', './'],
    ['/campaigns/5', '../'],
    ['/contacts/5/calls', '../../'],
  ])('gets the console at %s, with the base path %s', async (path, base) => {
    const answer = await open(path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain(`<base href="${base}" />`);
    expect(answer.headers.get('vary')).toBe('Accept');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('gets a new nonce each time, the same in page and policy; no other inline content is allowed', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const answer = await open('/');
        const policy = answer.headers.get('content-security-policy') ?? '';
        const [, nonce = ''] = /name="style-nonce" content="([^"]+)"/.exec(await answer.text()) ?? [];
        expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
        expect(policy).toContain("script-src 'self';");
        expect(policy).not.toContain('unsafe');
        return nonce;
      }),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test('may connect to the server and to the phones’ addresses of the switch, and to nothing else', async () => {
    const policies = await Promise.all(['/', '/live'].map(async path => (await open(path)).headers.get('content-security-policy') ?? ''));
    for (const policy of policies) expect(/connect-src ([^;]*)/.exec(policy)?.[1]).toBe("'self' wss://phone.example.com:7443");
  });

  test('never gets a page under the paths of the API', async () => {
    expect(await (await open('/api/campaigns')).json()).toEqual({ code: '00000' });
    expect((await open('/api/nothing')).status).toBe(404);
  });
});

test('a client that does not accept HTML gets no page', async () => {
  expect((await open('/campaigns', '*/*')).status).toBe(404);
  expect((await open('/', 'application/json')).status).toBe(404);
  expect((await fetch(`${url}/campaigns`, { method: 'POST', headers: { accept: 'text/html' } })).status).toBe(404);
});

test('without a built console the server works, and finds the console once it is built', async () => {
  built = null;
  expect((await open('/')).status).toBe(404);
  expect((await open('/assets/main.js')).status).toBe(404);
  built = BUILT;
  expect((await open('/')).status).toBe(200);
  expect(await (await open('/assets/main.js')).text()).toBe('a file');
});
