import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { type Installation, installPrograms, installServices } from '#tools/services/install.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';

let folder = '';
let system: Installation;
let clock: ManualClock;
const told: string[] = [];
const folders: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callout-test-install-'));
  folders.push(folder);
  told.length = 0;
  clock = manualClock();
  const env = { PATH: `${folder}:/usr/bin:/bin` };
  system = { env, print: line => told.push(line), clock, isRoot: true, daemonPolicy: join(folder, 'policy-rc.d') };
});
afterAll(() => Promise.all(folders.map(path => rm(path, { recursive: true, force: true }))));

/**
 * A fake apt-get that records its arguments, whether it may ask questions, and the daemon policy at that time.
 *
 * Shape: `hasLists` false: the first installation fails, as on a machine that has no lists of packages
 */
async function fakeApt({ exitCode = 0, hasLists = true } = {}): Promise<void> {
  const script = `#!/bin/sh
echo "$* $DEBIAN_FRONTEND $(sh "${folder}/policy-rc.d"; echo $?)" >> "${folder}/calls"
[ "$2" = update ] && touch "${folder}/lists"
[ ${hasLists} = true ] || [ -e "${folder}/lists" ] || { echo "E: Unable to locate package" >&2; exit 100; }
[ ${exitCode} = 0 ] || echo "E: Unable to fetch" >&2
exit ${exitCode}
`;
  await writeFile(join(folder, 'apt-get'), script, { mode: 0o755 });
}

async function calls(): Promise<string[]> {
  return (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');
}

test('installs only what is missing, non-interactively and without starting daemons', async () => {
  await fakeApt();
  await installServices(['Redis', 'NATS'], system);
  expect(await calls()).toEqual(['-qq -y --no-install-recommends install redis-server nats-server noninteractive 101']);
  expect(told).toEqual(['callout: installing redis-server nats-server (apt-get) …']);
  expect(existsSync(system.daemonPolicy)).toBe(false);
});

test('fetches the lists of packages only when an installation fails without new ones', async () => {
  await fakeApt({ hasLists: false });
  await installServices(['Redis'], system);
  expect(await calls()).toEqual([
    '-qq -y --no-install-recommends install redis-server noninteractive 101',
    '-qq update noninteractive 101',
    '-qq -y --no-install-recommends install redis-server noninteractive 101',
  ]);
  expect(existsSync(system.daemonPolicy)).toBe(false);
});

test('keeps an existing daemon policy', async () => {
  await fakeApt();
  await writeFile(system.daemonPolicy, 'exit 7\n');
  await installServices(['Redis'], system);
  expect(await readFile(system.daemonPolicy, 'utf8')).toBe('exit 7\n');
});

test('a failed installation reports the cause and a remedy, and leaves no policy behind', async () => {
  await fakeApt({ exitCode: 100 });
  const failure = await installServices(['PostgreSQL'], system).catch((error: unknown) => error);
  expect(failure).toMatchObject({ exitCode: 69, message: expect.stringMatching(/E: Unable to fetch[^]*up -d --wait postgres\n/) });
  expect(existsSync(system.daemonPolicy)).toBe(false);
});

test('without root: prints the exact compose command and addresses, exit code 69', async () => {
  await fakeApt();
  const failure = await installServices(['PostgreSQL', 'NATS'], { ...system, isRoot: false }).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    exitCode: 69,
    message: [
      'callout: PostgreSQL, NATS not found on this machine, and installing needs root and apt-get. Start with',
      '  docker compose -f docker/compose.development.yaml up -d --wait postgres nats',
      'and repeat your command with',
      '  CALLOUT_DATABASE_URL=postgres://callout@127.0.0.1:5432/callout CALLOUT_NATS_URL=nats://127.0.0.1:4222',
    ].join('\n'),
  });
  expect(existsSync(join(folder, 'calls'))).toBe(false);
});

test('waits while another process holds the lock of the package manager, and reports it once', async () => {
  const lock = join(folder, 'lock');
  await writeFile(lock, '');
  const script = `#!/bin/sh
echo "$1 $2" >> "${folder}/calls"
[ ! -e "${lock}" ] && exit 0
echo "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7" >&2
exit 100
`;
  await writeFile(join(folder, 'apt-get'), script, { mode: 0o755 });
  const installed = installServices(['Redis'], system);
  await waitUntil('a wait for the lock', () => clock.pending() === 1);
  await clock.pass(2_000);
  await waitUntil('a wait for the lock', () => clock.pending() === 1);
  await rm(lock);
  await clock.pass(2_000);
  await installed;
  expect(told).toEqual([
    'callout: installing redis-server (apt-get) …',
    'callout: another process holds the lock of apt-get: waiting for it …',
  ]);
  expect(await calls()).toEqual(['-qq -y', '-qq -y', '-qq -y']);
});

test('gives up on a lock held for ten minutes', async () => {
  const script = `#!/bin/sh\necho "E: Could not get lock /var/lib/apt/lists/lock" >&2\nexit 100\n`;
  await writeFile(join(folder, 'apt-get'), script, { mode: 0o755 });
  const failure = installServices(['Redis'], system).catch((error: unknown) => error);
  await waitUntil('a wait for the lock', () => clock.pending() === 1);
  await clock.pass(600_000);
  expect(await failure).toMatchObject({ exitCode: 69, message: expect.stringContaining('Could not get lock') });
});

test('installs the programs missing from the PATH in one run', async () => {
  await fakeApt();
  await installPrograms(['sh', 'no-such-browser', 'no-such-snake'], system);
  expect(told).toEqual(['callout: installing no-such-browser no-such-snake (apt-get) …']);
  await installPrograms(['sh'], system);
  expect(told).toHaveLength(1);
});

test('names the programs that it cannot install', async () => {
  const failure = await installPrograms(['no-such-browser'], { ...system, isRoot: false }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ exitCode: 69, message: expect.stringContaining('no-such-browser not found on this machine') });
});
