import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { connectNats, type NatsBus, type NatsConfig } from '#platform/nats/connect.ts';
import { ackWaitMs } from '#platform/nats/inbox.ts';
import { RUNTIME_CONSUMER, RUNTIME_STREAM, runtimeSubject } from '#protocol/subjects.ts';
import { sleep, systemClock } from '#kernel/clock.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import type { DurableReport } from '#platform/nats/bus.ts';
import { BUS_TIMES, freshNats } from '#test/support/nats.ts';
import type { PrivateService } from '#test/support/private-service.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const NANOS_PER_MS = 1_000_000;
const GRACE_MS = 4_000;

let nats: PrivateService;
let observer: NatsConnection;
const open = new AsyncDisposableStack();
let buses: NatsBus[] = [];
let stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  nats = await freshNats();
  observer = await connect({ servers: new URL(nats.url).host });
});
afterEach(async () => {
  await Promise.all(stops.map(stop => stop()));
  await Promise.all(buses.map(bus => bus.close()));
  [stops, buses] = [[], []];
});
afterAll(async () => {
  await open.disposeAsync();
  await observer.close();
  await nats.stop();
});

async function instance(changes: Partial<NatsConfig> = {}): Promise<NatsBus> {
  const config = { ...BUS_TIMES, url: nats.url, resultGraceMs: GRACE_MS, clientName: 'test', ...changes };
  const bus = await connectNats(config, { clock: systemClock, log: silentLog });
  buses.push(bus);
  return bus;
}

async function consume(bus: NatsBus, listener: (report: DurableReport) => void): Promise<void> {
  stops.push(await bus.consumeReports(listener));
}

async function ackWait(): Promise<number> {
  const manager = await jetstreamManager(observer);
  return ((await manager.consumers.info(RUNTIME_STREAM, RUNTIME_CONSUMER)).config.ack_wait ?? 0) / NANOS_PER_MS;
}

const report = (requestId: string) => jetstream(observer).publish(runtimeSubject('result', requestId), '{}');

describe('the time to acknowledge a report [D7.8]', () => {
  test.each([1_000, 4_000, 8_000, 30_000, 60_000, 86_400_000])('is below half of a grace of %i ms', graceMs => {
    expect(ackWaitMs(graceMs)).toBeLessThan(graceMs / 2);
    expect(ackWaitMs(graceMs)).toBeGreaterThan(0);
  });

  test('an inbox that was created with another grace is updated at the next start', async () => {
    await instance({ resultGraceMs: 60_000 });
    expect(await ackWait()).toBe(15_000);
    await instance({ resultGraceMs: GRACE_MS });
    expect(await ackWait()).toBe(ackWaitMs(GRACE_MS));
  });

  test('messages held by a dead instance are redelivered to another before half of the grace is over', async () => {
    const [dying, taken] = [await instance(), [] as DurableReport[]];
    await consume(dying, held => void taken.push(held));
    const requestId = systemIds();
    await report(requestId);
    await waitUntil('the report to be taken', () => taken.length === 1);
    // Like a kill: nothing is acknowledged, no connection closes properly.
    await dying.close();
    const diedAt = systemClock.monotonic();
    const other = await instance();
    const again = await new Promise<DurableReport>(resolve => void consume(other, resolve));
    expect(again).toMatchObject({ subject: runtimeSubject('result', requestId), deliveries: 2 });
    expect(systemClock.monotonic() - diedAt).toBeLessThan(GRACE_MS / 2 + 500);
    again.ack();
  });

  test('a report in progress for longer is not redelivered', async () => {
    const taken: DurableReport[] = [];
    for (const bus of [await instance({ resultGraceMs: 1_000 }), await instance({ resultGraceMs: 1_000 })])
      await consume(bus, held => void taken.push(held));
    await report(systemIds());
    await waitUntil('the report to be taken', () => taken.length > 0);
    await sleep(systemClock, 4 * ackWaitMs(1_000));
    expect(taken).toHaveLength(1);
    taken[0]?.ack();
    const manager = await jetstreamManager(observer);
    await waitUntil('an empty inbox', async () => (await manager.streams.info(RUNTIME_STREAM)).state.messages === 0);
  });
});

describe('a start during a restart of the bus', () => {
  test('continues when the bus goes down during it', async () => {
    const cut = await cuttingProxy(Number(new URL(nats.url).port), /CONSUMER\.INFO/);
    open.defer(cut.close);
    const bus = await instance({ url: `nats://127.0.0.1:${cut.port}`, startTimeoutMs: 20_000 });
    await consume(bus, () => undefined);
    expect(cut.cuts()).toBe(2);
  });

  test('fails when the bus stays down for longer than configured', async () => {
    const startedAt = systemClock.monotonic();
    await expect(instance({ url: 'nats://127.0.0.1:1', startTimeoutMs: 1_000 })).rejects.toMatchObject({ code: 'BUS_UNAVAILABLE' });
    expect(systemClock.monotonic() - startedAt).toBeGreaterThan(700);
  });
});

/** Breaks a connection the first times its client sends a match of `pattern`, like a restart of NATS during a request. */
async function cuttingProxy(target: number, pattern: RegExp) {
  const MAX_CUTS = 2;
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server = createServer(client => {
    const upstream = connectTcp(target, '127.0.0.1');
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined));
    client.on('data', chunk => {
      if (cuts < MAX_CUTS && pattern.test(chunk.toString('latin1'))) {
        cuts += 1;
        client.destroy();
        upstream.destroy();
      } else upstream.write(chunk);
    });
    upstream.on('data', chunk => void client.write(chunk));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>(resolve => void server.close(() => resolve()));
  };
  return { port: (server.address() as AddressInfo).port, cuts: () => cuts, close };
}
