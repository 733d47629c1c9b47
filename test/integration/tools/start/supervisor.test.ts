import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { supervise } from '#tools/start/supervisor.ts';
import { answers } from '#tools/services/answers.ts';
import { findFreePort } from '#tools/services/free-port.ts';

const logFolder = await mkdtemp(join(tmpdir(), 'callout-test-supervisor-'));
afterAll(() => rm(logFolder, { recursive: true, force: true }));

const ENDING = { timeoutMs: 5_000 };
const env = { ...process.env };

test('starts a role, waits until it is ready, and ends everything in reverse order', async () => {
  const supervisor = supervise();
  const order: string[] = [];
  const note = (what: string) => async () => {
    order.push(what);
  };
  const port = await findFreePort();
  await supervisor.defer(note('services'));
  const simulator = supervisor.start({ role: 'switch', args: ['--port', String(port)], env, logFolder }, ENDING);
  void simulator.ended.then(note('switch'));
  await supervisor.whenReady(simulator, () => answers('127.0.0.1', port, '', /auth\/request/));
  await supervisor.defer(note('server'));
  await supervisor.stop();
  expect(order).toEqual(['server', 'switch', 'services']);
  expect((await simulator.ended).how).toMatch(/^exit code 0\n/);
  expect(await answers('127.0.0.1', port, '', /auth\/request/)).toBe(false);
});

test('a role that exits before it is ready is reported with the end of its log', async () => {
  const supervisor = supervise();
  const broken = supervisor.start({ role: 'switch', args: ['--answer-rate', 'often'], env, logFolder }, ENDING);
  const failure = await supervisor.whenReady(broken, async () => false).catch((error: unknown) => error);
  expect(failure).toMatchObject({ exitCode: 70, message: expect.stringMatching(/^callout: switch ended: exit code 64\n.*answer-rate/) });
  await supervisor.stop();
});

test('a role that exits later is noticed; one that starts after the stop is ended at once', async () => {
  const supervisor = supervise();
  const simulator = supervisor.start({ role: 'switch', args: ['--port', '0'], env, logFolder }, ENDING);
  const noticed = supervisor.watch().catch((error: unknown) => error);
  await supervisor.kill();
  expect(await noticed).toMatchObject({ message: expect.stringMatching(/switch ended: exit code SIGKILL/) });
  await supervisor.stop();
  let isEnded = false;
  await supervisor.defer(async () => {
    isEnded = true;
  });
  expect(isEnded).toBe(true);
  expect(() => supervisor.start({ role: 'switch', env, logFolder }, ENDING)).toThrow(/stopping/);
  expect((await simulator.ended).how).toContain('SIGKILL');
});

test('each start truncates the log of a role', async () => {
  const supervisor = supervise();
  const broken = supervisor.start({ role: 'switch', args: ['--seed', 'x'], env, logFolder }, ENDING);
  await broken.ended;
  expect(await readFile(join(logFolder, 'switch.log'), 'utf8')).toMatch(/^callout switch: .*seed/);
});

test('a role without its service ends the run with that error, not as a bug', async () => {
  const supervisor = supervise();
  const env = { ...process.env, CALLOUT_NATS_URL: 'nats://127.0.0.1:1', CALLOUT_NATS_WAIT_MS: '0' };
  const runtime = supervisor.start({ role: 'runtime', env, logFolder }, ENDING);
  await expect(supervisor.whenReady(runtime, () => Promise.resolve(false))).rejects.toMatchObject({
    exitCode: 69,
    message: expect.stringContaining('NATS does not answer'),
  });
  await supervisor.stop();
});
