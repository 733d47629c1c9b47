import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express, { type NextFunction, type Request, type Response as Answer } from 'express';
import { consolePart } from '#serve/console-part.ts';
import { exchangeHeaders } from '#platform/http/trace.ts';

let now = 0;
let url = '';
let top = '';
const app = express();
const server = app.listen(0, '127.0.0.1');

beforeAll(async () => {
  top = await mkdtemp(join(tmpdir(), 'callout-console-'));
  app.use(everyAnswer);
  const part = consolePart(join(top, 'dist'), { monotonic: () => now });
  part.mount?.(app);
  if (!server.listening) await new Promise(resolve => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise(resolve => server.close(resolve));
  await rm(top, { recursive: true });
});

test('a console rebuilt under a running server is served with its own files', async () => {
  expect((await open('/')).status).toBe(404);
  await build('first');
  now += 5_000;
  expect(await (await open('/')).text()).toContain('assets/first.js');
  expect(await (await open('/assets/first.js')).text()).toBe('first');
  await build('second');
  now += 5_000;
  expect(await (await open('/')).text()).toContain('assets/second.js');
  expect(await (await open('/assets/second.js')).text()).toBe('second');
  expect((await open('/assets/first.js')).status).toBe(404);
});

test('a file deleted since the last check is a 404 and does no other harm', async () => {
  await build('third');
  now += 5_000;
  expect(await (await open('/assets/third.js')).text()).toBe('third');
  await build('fourth');
  expect((await open('/assets/third.js')).status).toBe(404);
  expect(await (await open('/assets/fourth.js')).text()).toBe('fourth');
});

test('a text file is served in the best compression that the browser accepts', async () => {
  await build('fifth');
  await writeFile(join(top, 'dist', 'assets', 'fifth.js.br'), brotliCompressSync('in Brotli'));
  now += 5_000;
  const small = await open('/assets/fifth.js', { 'accept-encoding': 'gzip, br' });
  expect([small.headers.get('content-type'), small.headers.get('content-encoding'), await small.text()]).toEqual([
    expect.stringContaining('text/javascript'),
    'br',
    'in Brotli',
  ]);
  expect([small.headers.get('vary'), small.headers.get('cache-control')]).toEqual([
    expect.stringContaining('Accept-Encoding'),
    expect.stringContaining('immutable'),
  ]);
  expect(await (await open('/assets/fifth.js', { 'accept-encoding': 'identity' })).text()).toBe('fifth');
});

test('files with a hash in their name are cached for a year; the icon and the page are revalidated each time', async () => {
  await build('sixth');
  await writeFile(join(top, 'dist', 'icon.svg'), '<svg/>');
  await writeFile(join(top, 'dist', 'assets', 'sixth.js.gz'), gzipSync('zipped'));
  now += 5_000;
  const kept = 'public, max-age=31536000, immutable';
  const cachingOf = async (path: string, headers = {}) => (await open(path, headers)).headers.get('cache-control');
  expect(await cachingOf('/assets/sixth.js', { 'accept-encoding': 'identity' })).toBe(kept);
  expect(await cachingOf('/assets/sixth.js', { 'accept-encoding': 'gzip' })).toBe(kept);
  expect(await cachingOf('/icon.svg')).toBe('no-cache');
  expect(await cachingOf('/')).toBe('no-store');
  expect(await cachingOf('/assets/absent.js')).toBe('no-store');
});

/** Sets the headers that the server adds to every response before it is handled. */
function everyAnswer(_request: Request, response: Answer, next: NextFunction): void {
  const headers = exchangeHeaders({ traceId: 'one', ip: null, route: 'unknown', userId: null, failure: null });
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
  next();
}

/** Replaces the console as `npm run console` does: builds it aside, then moves it in place. */
async function build(name: string): Promise<void> {
  const fresh = join(top, 'dist.new');
  await mkdir(join(fresh, 'assets'), { recursive: true });
  await writeFile(join(fresh, 'index.html'), `<head><base href="/" /></head><script src="./assets/${name}.js"></script>`);
  await writeFile(join(fresh, 'assets', `${name}.js`), name);
  await rm(join(top, 'dist'), { recursive: true, force: true });
  await rename(fresh, join(top, 'dist'));
}

function open(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url + path, { headers: { accept: 'text/html', ...headers } });
}
