import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** As `npm run console` does: beside, then in its place. */
async function build(name: string): Promise<void> {
  const fresh = join(top, 'dist.new');
  await mkdir(join(fresh, 'assets'), { recursive: true });
  await writeFile(join(fresh, 'index.html'), `<head><base href="/" /></head><script src="./assets/${name}.js"></script>`);
  await writeFile(join(fresh, 'assets', `${name}.js`), name);
  await rm(join(top, 'dist'), { recursive: true, force: true });
  await rename(fresh, join(top, 'dist'));
}

function open(path: string): Promise<Response> {
  return fetch(url + path, { headers: { accept: 'text/html' } });
}
