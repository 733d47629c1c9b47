import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const run = promisify(execFile);
const SCRIPT = join(import.meta.dirname, '../../../docker/cdr-resend.mjs');
/** Long before a record may still be being written. */
const LONG_AGO = new Date('2026-01-01');

let folder: string;
let server: Server;
let taken: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-records-'));
  taken = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', chunk => (body += String(chunk)));
    request.on('end', () => {
      const isRecord = body.startsWith('{') && request.headers.authorization === `Basic ${btoa('freeswitch:token')}`;
      if (isRecord) taken.push(body);
      response.writeHead(isRecord ? 200 : 400).end('{}');
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  for (const name of ['a', 'b', 'c']) await keep(`${name}.json`, `{"record":"${name}"}`);
});
afterEach(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

async function keep(name: string, text: string): Promise<void> {
  const file = join(folder, name);
  await writeFile(file, text);
  await utimes(file, LONG_AGO, LONG_AGO);
}

/** Shape: what it has to say */
async function sendAgain(): Promise<string> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo | null)?.port ?? 1}/internal/freeswitch/cdr`;
  const { stderr } = await run(process.execPath, [SCRIPT, folder, url, '--once'], { env: { CALLOUT_INTERNAL_TOKEN: 'token' } });
  return stderr;
}

test('brings every record, and deletes what was taken [D7.8]', async () => {
  expect(await sendAgain()).toBe('');
  expect(taken.toSorted()).toEqual(['{"record":"a"}', '{"record":"b"}', '{"record":"c"}']);
  expect(await readdir(folder)).toEqual([]);
});

test('a record that the disk has cut short holds up no other, and stays [D7.8]', async () => {
  await keep('a.json', '');
  await keep('b.json', 'half a rec');
  expect(await sendAgain()).toMatch(/2 records stay .*[ab]\.json.*400/);
  expect(taken).toEqual(['{"record":"c"}']);
  expect((await readdir(folder)).toSorted()).toEqual(['a.json', 'b.json']);
});

test('where no server is there all stay', async () => {
  await new Promise(resolve => server.close(resolve));
  expect(await sendAgain()).toMatch(/^cdr-resend: .+\n$/);
  expect(await readdir(folder)).toHaveLength(3);
});
