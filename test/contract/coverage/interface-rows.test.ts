import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OpenApiDocument } from '#platform/docs/openapi.ts';
import { openApiPath } from '#platform/docs/openapi.ts';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { INTERFACE_ROWS, NOT_SERVED, OWN_ROWS } from './interface-rows.ts';

let server: TestServer;
let document: OpenApiDocument;

beforeAll(async () => {
  server = await startTestServer();
  document = (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApiDocument;
});
afterAll(() => server.close());

/** `PATCH /api/agent-groups/{}`: the name of a parameter is not part of an address. */
function addressOf(name: string): string {
  const [method = '', path = ''] = name.split(' ');
  return `${method} ${openApiPath(path).replaceAll(/\{\w+\}/g, '{}')}`;
}

function served(): Map<string, Record<string, unknown>> {
  const rows = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Record<string, unknown>] => [
      addressOf(`${method.toUpperCase()} ${path}`),
      operation as Record<string, unknown>,
    ]),
  );
  return new Map(rows);
}

describe('the OpenAPI document against the table of OCS section 4', () => {
  test('every row is served, or listed as not served', () => {
    const rows = served();
    const missing = INTERFACE_ROWS.map(({ name }) => name).filter(name => !rows.has(addressOf(name)));
    expect(missing.sort()).toEqual([...NOT_SERVED].sort());
  });

  test('no route is added but health, metrics and documents', () => {
    const known = new Set([...INTERFACE_ROWS.map(({ name }) => name), ...OWN_ROWS].map(addressOf));
    expect([...served().keys()].filter(address => !known.has(address))).toEqual([]);
    expect(OWN_ROWS.filter(name => !served().has(addressOf(name)))).toEqual([]);
  });

  test.each(INTERFACE_ROWS.map(row => [row.name, row] as const))('%s requires what the table says [OCS 2.3, 5]', (name, { access }) => {
    if (NOT_SERVED.includes(name)) return;
    expect(accessOf(served().get(addressOf(name)) ?? {})).toBe(access);
  });

  test('documents, pages and GraphQL are outside the table [D2.2]', async () => {
    const statuses = await Promise.all(
      ['/docs', '/docs/nats', '/openapi.json', '/asyncapi.json'].map(async path => (await fetch(`${server.url}${path}`)).status),
    );
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect((await fetch(`${server.url}/graphql`)).status).not.toBe(404);
    expect((await fetch(`${server.url}/api/import-jobs`, { method: 'POST' })).status).toBe(404);
  });
});

function accessOf({ security, description }: Record<string, unknown>): string {
  const [scheme = 'public'] = (security as Record<string, unknown>[]).flatMap(each => Object.keys(each));
  if (scheme !== 'session') return scheme === 'internalToken' ? 'internal' : scheme;
  return /`(\S+)`/.exec(String(description))?.[1] ?? 'session';
}
