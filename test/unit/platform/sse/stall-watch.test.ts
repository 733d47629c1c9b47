import { expect, test } from '@jest/globals';
import { silentLog } from '#kernel/log.ts';
import { type Connection, createStallWatch, nameOfConnection } from '#platform/sse/stall-watch.ts';
import { manualClock } from '#test/support/manual-clock.ts';

function rig() {
  const clock = manualClock();
  const held = new Map<string, number>();
  const watch = createStallWatch({ sendQueues: { read: async () => held }, clock, log: silentLog });
  const stalled: number[] = [];
  const client = (remotePort: number) => {
    const connection = { localPort: 80, remoteAddress: '192.0.2.1', remotePort, bytesWritten: 1_000, writableLength: 0 };
    const cancel = watch.watch(connection, () => stalled.push(remotePort));
    return { connection, cancel, hold: (bytes: number) => held.set(nameOfConnection(connection), bytes) };
  };
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 10) await clock.pass(10_000);
  };
  return { clock, client, stalled, pass };
}

test("a client that reads nothing from the system's send queue is reported as stalled once, after 30 s", async () => {
  const { client, stalled, pass } = rig();
  client(1).hold(500);
  await pass(30);
  expect(stalled).toEqual([]);
  await pass(30);
  expect(stalled).toEqual([1]);
});

test('further writes change nothing, but any reading by the client does', async () => {
  const { client, stalled, pass } = rig();
  const [deaf, slow] = [client(1), client(2)];
  const write = (to: { connection: Connection & { bytesWritten: number }; hold: (bytes: number) => void }, bytes: number, held: number) => {
    to.connection.bytesWritten = bytes;
    to.hold(held);
  };
  for (let turn = 0; turn < 12; turn++) {
    write(deaf, 1_000 + turn * 100, 500 + turn * 100);
    write(slow, 1_000 + turn * 100, 500 + turn * 99);
    await pass(10);
  }
  expect(stalled).toEqual([1]);
});

test('a client with an empty send queue, or with more waiting in the process, is not its concern', async () => {
  const { client, stalled, pass } = rig();
  client(1);
  const waiting = client(2);
  waiting.hold(500);
  waiting.connection.writableLength = 1;
  await pass(120);
  expect(stalled).toEqual([]);
});

test('without clients no timer runs', async () => {
  const { client, clock, pass } = rig();
  const { cancel, hold } = client(1);
  hold(500);
  await pass(20);
  cancel();
  expect(clock.pending()).toBe(0);
  client(2);
  expect(clock.pending()).toBe(1);
});
