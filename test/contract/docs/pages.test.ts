import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { docsPart } from '#serve/docs-part.ts';
import { envelopeOf } from '#platform/http/route.ts';
import { healthRoute } from '#health/routes.ts';
import { BUS_OPERATIONS } from '#protocol/operations.ts';
import { escapeHtml } from '#platform/docs/nats-page.ts';
import { createApp } from '#platform/http/app.ts';
import { systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { clientAddressBehind } from '#platform/http/server.ts';

describe('the documentation pages', () => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    const mount = docsPart([healthRoute], { showsSchema: true }).mount;
    const app = createApp({
      handlers: [],
      mount: mount ? [mount] : [],
      answerOnce: (_asked: unknown, work: () => Promise<unknown>) => work(),
      gate: { callerOf: () => Promise.reject(new Error('nobody asks')), isInternalToken: () => false },
      draining: new AbortController().signal,
      sessionWatch: { watch: () => () => undefined },
      corsOrigins: [],
      clientAddress: clientAddressBehind([]),
      hstsMaxAgeSeconds: 0,
      clock: systemClock,
      ids: systemIds,
      log: silentLog,
      metrics: { requestAnswered: () => undefined } as never,
    });
    server = createServer(app);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    await new Promise(resolve => server.close(resolve));
  });

  const get = async (path: string) => {
    const answer = await fetch(`${url}${path}`, { redirect: 'manual', headers: { Accept: 'text/html,*/*;q=0.8' } });
    return { answer, text: await answer.text() };
  };

  test.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/nats', 'text/html; charset=utf-8'],
    ['/graphql', 'text/html; charset=utf-8'],
    ['/openapi.json', 'application/json; charset=utf-8'],
    ['/asyncapi.json', 'application/json; charset=utf-8'],
    ['/docs/assets/open.js', 'text/javascript; charset=utf-8'],
    ['/docs/assets/graphiql/open.js', 'text/javascript; charset=utf-8'],
    ['/docs/assets/graphiql/graphiql.js', 'text/javascript; charset=utf-8'],
    ['/docs/assets/graphiql/graphql.js', 'text/javascript; charset=utf-8'],
  ])('%s is served without a login', async (path, type) => {
    const { answer } = await get(path);
    expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({ status: 200, type });
  });

  test('the root address redirects only browsers to the pages', async () => {
    const { answer } = await get('/');
    expect({ status: answer.status, to: answer.headers.get('location') }).toEqual({ status: 302, to: 'docs' });
    const client = await fetch(`${url}/`, { redirect: 'manual', headers: { Accept: 'application/json' } });
    expect(client.status).toBe(404);
    await client.arrayBuffer();
  });

  test.each(['/docs', '/docs/nats', '/graphql'])('%s loads nothing from elsewhere, and its CSP forbids it', async path => {
    const { answer, text } = await get(path);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*/);
    expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(text).not.toMatch(/scarf|<script>/);
  });

  test('everything that the page loads is served by this server', async () => {
    const { text } = await get('/docs');
    const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => new URL(address, `${url}/docs`).pathname);
    expect(loaded).toEqual(
      expect.arrayContaining(['/docs/assets/swagger-ui-bundle.js', '/docs/assets/swagger-ui.css', '/openapi.json', '/graphql']),
    );
    for (const path of loaded) expect({ path, status: (await get(path)).answer.status }).toEqual({ path, status: 200 });
  });

  test('the links from /docs/nats lead back, also behind a path prefix of a proxy', async () => {
    const { text } = await get('/docs/nats');
    const linked = [...text.matchAll(/href="([^"#]+)"/g)].map(([, address = '']) => new URL(address, `${url}/outer/docs/nats`).pathname);
    expect(linked).toEqual(['/outer/docs', '/outer/asyncapi.json', '/outer/openapi.json']);
  });

  test('the page of the bus shows every operation with its subject and example', async () => {
    const { text } = await get('/docs/nats');
    for (const { id, address, summary } of BUS_OPERATIONS) {
      expect(text).toContain(`<section id="${id}">`);
      expect(text).toContain(address);
      expect(text).toContain(summary);
    }
    expect(text).toContain('segment.speaker');
    for (const { en } of BUS_OPERATIONS) expect(text).toContain(`<p lang="en">${escapeHtml(en.detail)}</p>`);
    expect(text).toContain('&quot;callStatus&quot;: &quot;completed&quot;');
  });

  test('the page of the bus is folded, contains each schema once, and every link in it has a target', async () => {
    const { text } = await get('/docs/nats');
    expect(text).not.toContain('<details open');
    expect(text.match(/<details>/g)?.length).toBeGreaterThan(BUS_OPERATIONS.length);
    const ids = [...text.matchAll(/id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const linked = [...new Set([...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id))];
    expect(linked.filter(id => !ids.includes(id))).toEqual([]);
    expect(linked).toEqual(expect.arrayContaining(['rules', 'errors', 'schema-CollectNode', 'schema-ScriptCondition', 'schema-SipMedia']));
    expect(text.length).toBeLessThan(150_000);
  });

  test('the page of /graphql is GraphiQL with all its assets, the session in its headers and its socket', async () => {
    const { text } = await get('/graphql');
    const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => new URL(address, `${url}/graphql`).pathname);
    expect(loaded).toEqual(expect.arrayContaining(['/docs/assets/graphiql/graphiql.js', '/docs/assets/graphiql/open.js', '/docs']));
    for (const path of loaded) expect({ path, status: (await get(path)).answer.status }).toEqual({ path, status: 200 });
    const { text: start } = await get('/docs/assets/graphiql/open.js');
    for (const option of [
      "subscriptionsProtocol: 'WS'",
      'additionalHeaders: authorization',
      'connectionParams: () => ({ session: session?.proof })',
    ])
      expect(start).toContain(option);
    expect(start).toContain('shouldPersistHeaders: false');
    for (const worker of ['editorWorkerService', 'graphql', 'json']) {
      const { answer } = await get(`/docs/assets/graphiql/${worker}.js`);
      expect([worker, answer.status]).toEqual([worker, 200]);
    }
  });

  test('a trailing slash redirects to the page, whose addresses are relative to it', async () => {
    const { answer } = await get('/docs/');
    expect(answer.status).toBe(308);
    expect(new URL(answer.headers.get('location') ?? '', `${url}/docs/`).pathname).toBe('/docs');
  });

  test.each([
    '/docs/assets/index.html',
    '/docs/assets/swagger-initializer.js',
    '/docs/assets/../../package.json',
    '/docs/assets/%2e%2e%2fpackage.json',
  ])('%s is not served', async path => {
    expect((await get(path)).answer.status).toBe(404);
  });

  test('the document contains the mounted routes, in the envelope [OCS 2.1]', async () => {
    const document = JSON.parse((await get('/openapi.json')).text);
    expect(Object.keys(document.paths)).toEqual(['/health']);
    const schema = document.paths['/health'].get.responses['200'].content['application/json'].schema;
    expect(Object.keys(schema.properties)).toEqual(Object.keys(envelopeOf(healthRoute.data).shape));
  });
});
