import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECT } from '#tools/commands/project.ts';
import { type DispatchRig, everybody, numbers, startDispatchRig } from '#test/support/dispatch-rig.ts';
import { ADMIN, startTestServer, type TestServer } from '#test/support/server.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let rig: DispatchRig;
let watched: TestServer;
let client: ChildProcess;
const lines: string[] = [];

/** An instance for the client alone, on the same port each time. */
const startWatched = (port: number) => startTestServer({ beside: rig.server, config: { server: { port } } });

beforeAll(async () => {
  rig = await startDispatchRig({ world: everybody('answer', { talkMs: { minMs: 500, maxMs: 800 } }) });
  watched = await startWatched(0);
  const file = join(PROJECT, 'examples/dashboard-client/main.ts');
  client = spawn(process.execPath, [file, watched.url, ADMIN.username, ADMIN.password], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (client.stdout) createInterface(client.stdout).on('line', line => lines.push(line));
});
afterAll(async () => {
  client.kill('SIGKILL');
  await watched.close();
  await rig.close();
});

const until = (what: string, pattern: RegExp, from = 0) => waitUntil(what, () => lines.slice(from).find(line => pattern.test(line)));

async function callSomebody(count: number): Promise<void> {
  const { id } = await rig.campaign({ contacts: numbers(count) });
  await rig.start(id);
  await rig.untilStatus(id, 'completed');
}

test('the example client prints a live desk, and continues after its server was gone', async () => {
  await until('the first snapshot', /^snapshot: 0 calls/);
  await callSomebody(2);
  await until('a call', /DIALING|RINGING|LIVE/);
  await until('its end', /ended/);

  const { port } = new URL(watched.url);
  await watched.close();
  await until('the loss', /connection lost/);
  watched = await startWatched(Number(port));
  const before = lines.length;
  await until('the word that it starts over', /^resync \(CURSOR_NOT_HELD\)/);
  await until('a new snapshot', /^snapshot: \d+ calls/, before - 1);
  await callSomebody(1);
  await until('the next call', /ended/, before);

  client.kill('SIGINT');
  const [code] = client.exitCode === null ? await once(client, 'exit') : [client.exitCode];
  expect(code).toBe(0);
});
