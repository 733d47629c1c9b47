import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { startTestServer, type TestServer } from '#test/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Fetches as a client other than a browser form: GET needs the header that forces a preflight. */
function fetchAsClient(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('Apollo-Require-Preflight', '1');
  return fetch(url, { ...init, headers });
}

const audits = serverAudits({ url: () => `${server.url}/graphql`, fetchFn: fetchAsClient });

describe('the GraphQL-over-HTTP specification, as graphql-http audits it', () => {
  test.each(audits.map(audit => [audit.name, audit] as const))('%s', async (_name, audit) => {
    const { status, ...rest } = await audit.fn();
    expect({ status, reason: 'reason' in rest ? rest.reason : null }).toEqual({ status: 'ok', reason: null });
  });
});
