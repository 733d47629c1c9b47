import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import { consolePart } from '#compose/server/console-part.ts';

let now = 0;
let url = '';
let top = '';
const app = express();
const server = app.listen(0, '127.0.0.1');

beforeAll(async () => {
  top = await mkdtemp(join(tmpdir(), 'callout-console-'));
  const part = consolePart(join(top, 'dist'), { monotonic: () => now });
  part.mount?.(app);
  if (!server.listening) await new Promise(resolve => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise(resolve => server.close(resolve));
  await rm(top, { recursive: true });
});

test('a console that is built anew under a running server is served with its own files', async () => {
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

test('a file that was taken away since the server looked is not there, and nothing else happens', async () => {
  await build('third');
  now += 5_000;
  expect(await (await open('/assets/third.js')).text()).toBe('third');
  await build('fourth');
  expect((await open('/assets/third.js')).status).toBe(404);
  expect(await (await open('/assets/fourth.js')).text()).toBe('fourth');
});

test('a text goes as small as the browser takes it', async () => {
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

/** As `npm run console` does: beside, then in its place. */
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
