import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { ask, connectClient, follow, type GraphFault, socketUrl } from './graphql-client.ts';
import { openAdmitted } from './hand-made-socket.ts';

const ME = 'query Me { me { authenticated } }';
const LIVE = 'subscription { liveCalls { __typename } }';

let open: TestServer;
let closed: TestServer;
beforeAll(async () => {
  open = await startTestServer();
  closed = await startTestServer({ beside: open, config: { graphql: { documents: [ME] } } });
});
afterAll(async () => {
  await closed.close();
  await open.close();
});

/** A request that names its document by hash, with the document when given. */
async function askByHash(server: TestServer, text: string, query?: string, token?: string) {
  const sha256Hash = createHash('sha256').update(text).digest('hex');
  const answer = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ ...(query === undefined ? {} : { query }), extensions: { persistedQuery: { version: 1, sha256Hash } } }),
  });
  return (await answer.json()) as { data?: unknown; errors?: GraphFault[] };
}

describe('automatic persisted queries', () => {
  test('a hash is unknown until its document was sent once', async () => {
    expect((await askByHash(open, ME)).errors?.[0]).toMatchObject({ message: 'PersistedQueryNotFound' });
    expect((await askByHash(open, ME, ME)).data).toEqual({ me: { authenticated: false } });
    expect((await askByHash(open, ME)).data).toEqual({ me: { authenticated: false } });
  });

  test('a hash that does not match its document is refused', async () => {
    const { errors } = await askByHash(open, ME, '{ me { authEnabled } }');
    expect(errors?.[0]?.extensions.code).toBe('INVALID_ARGUMENT');
  });
});

describe('automatic persisted queries over a socket', () => {
  test('share the documents of HTTP, and store a document sent with its hash', async () => {
    const socket = await openAdmitted(socketUrl(open), await open.loginAs('admin'));
    const say = async (id: string, text: string, query?: string) => {
      const sha256Hash = createHash('sha256').update(text).digest('hex');
      const payload = { ...(query === undefined ? {} : { query }), extensions: { persistedQuery: { version: 1, sha256Hash } } };
      socket.say({ id, type: 'subscribe', payload });
      return waitUntil('the answer', () => socket.received.find(message => message.id === id && message.type !== 'complete')?.payload);
    };
    const answer = { data: { me: { authenticated: true } } };
    const first = 'query First { me { authenticated } }';
    expect(await say('a', first)).toMatchObject([{ message: 'PersistedQueryNotFound' }]);
    expect(await say('b', first, first)).toMatchObject(answer);
    expect(await say('c', first)).toMatchObject(answer);
    const overHttp = 'query Second { me { authenticated } }';
    const token = await open.loginAs('admin');
    expect((await askByHash(open, overHttp, overHttp, token)).data).toEqual(answer.data);
    expect(await say('d', overHttp)).toMatchObject(answer);
    expect((await askByHash(open, first, undefined, token)).data).toEqual(answer.data);
    expect(await say('e', first, overHttp)).toMatchObject([{ extensions: { code: 'INVALID_ARGUMENT' } }]);
    socket.socket.close();
  });
});

describe('a list of documents', () => {
  test('is executed by text and by hash', async () => {
    expect((await ask(closed, null, ME)).data).toEqual({ me: { authenticated: false } });
    expect((await askByHash(closed, ME)).data).toEqual({ me: { authenticated: false } });
  });

  test('excludes every other document, even one sent with its hash', async () => {
    const other = '{ me { authEnabled } }';
    const { errors } = await ask(closed, null, other);
    expect(errors[0]).toMatchObject({ message: '只执行登记过的查询文档', extensions: { code: 'INVALID_ARGUMENT' } });
    expect((await askByHash(closed, other, other)).errors?.[0]?.message).toBe('只执行登记过的查询文档');
    expect((await askByHash(closed, other)).errors?.[0]?.message).toBe('PersistedQueryNotFound');
  });

  test('applies to sockets too', async () => {
    const { client } = connectClient(closed, await open.loginAs('admin'));
    const watched = follow(client, LIVE, 'liveCalls');
    expect(await waitUntil('the refusal', () => watched.failures[0])).toMatchObject([{ message: '只执行登记过的查询文档' }]);
    await client.dispose();
  });
});
