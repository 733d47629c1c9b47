import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openEsl } from '#platform/freeswitch/esl-connection.ts';
import { systemClock } from '#kernel/clock.ts';
import { startTestServer } from '#test/support/server.ts';
import { type Connected, connectTo, hastyClock, PASSWORD, startSimulator } from '#test/support/switch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import type { SwitchSimulator } from '#tools/switch/simulator.ts';

const REPLY_TIMEOUT_MS = 5_000;
/** How many times shorter a second of the simulated switch is. */
const HASTE = 20;

let simulator: SwitchSimulator;
let person: Awaited<ReturnType<typeof openEsl>>;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  simulator = await startSimulator({ clock: hastyClock(HASTE) });
  person = await openEsl({
    target: { host: '127.0.0.1', port: simulator.port, password: PASSWORD },
    clock: systemClock,
    connectTimeoutMs: REPLY_TIMEOUT_MS,
    silenceLimitMs: null,
    signal: new AbortController().signal,
    onEvent: () => undefined,
    onClose: () => undefined,
  });
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  person.destroy('over');
  await simulator.close();
});

const api = (line: string) => person.api(line, REPLY_TIMEOUT_MS);
const isClosed = async () => (await api('fsctl pause_check inbound')) === 'true';
const untilClosed = () => waitUntil('the switch to close itself', isClosed);
const untilOpen = () => waitUntil('the switch to be open', async () => !(await isClosed()));

/** The state in which docker/freeswitch starts. */
async function asShipped(): Promise<void> {
  await api('global_setvar callout_attendance=true');
  await api('fsctl pause inbound');
}

async function client(): Promise<Connected> {
  const connected = await connectTo(simulator.port);
  closing.push(() => connected.port.close());
  return connected;
}

describe('a switch that servers keep open [D12.8]', () => {
  test('is open, and closes itself without a renewal', async () => {
    await asShipped();
    const { port } = await client();
    await port.phones.attend('cell-1', 10);
    expect(await isClosed()).toBe(false);
    await untilClosed();
  });

  test('accepts the renewal of any server, which replaces the earlier one', async () => {
    await asShipped();
    const [first, second] = [await client(), await client()];
    await first.port.phones.attend('cell-1', 1);
    await second.port.phones.attend('cell-1', 100_000);
    expect(await api('sched_del callout-attendance')).toBe('+OK Deleted: 1');
    expect(await isClosed()).toBe(false);
  });

  test('is opened again by any server that returns', async () => {
    await asShipped();
    const { port } = await client();
    await port.phones.attend('cell-1', 0);
    await untilClosed();
    await port.phones.attend('cell-1', 10);
    expect(await isClosed()).toBe(false);
  });

  test('does not change outbound calls that an operator has paused', async () => {
    await asShipped();
    await api('fsctl pause');
    const { port } = await client();
    await port.phones.attend('cell-1', 10);
    expect(await api('fsctl pause_check outbound')).toBe('true');
  });

  test('is left alone when not configured for it, because it may serve other callers', async () => {
    await api('fsctl pause inbound');
    const { port } = await client();
    await port.phones.attend('cell-1', 10);
    expect([await isClosed(), await api('sched_del callout-attendance')]).toEqual([true, '+OK Deleted: 0']);
  });
});

test('the server keeps its switch open from its first HTTP response until after its last [D12.8]', async () => {
  await asShipped();
  const cells = [{ id: 'cell-1', host: '127.0.0.1', port: simulator.port, password: PASSWORD }];
  const server = await startTestServer({ config: { cells } });
  let isServing = true;
  closing.push(() => (isServing ? server.close() : Promise.resolve()));
  await untilOpen();
  isServing = false;
  await server.close();
  await untilClosed();
});
