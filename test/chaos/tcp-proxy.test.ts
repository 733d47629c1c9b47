import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '#kernel/clock.ts';
import { waitUntil } from '#test/support/wait-until.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

let echo: Server;
let proxy: TcpProxy;
let open: Socket[];

beforeEach(async () => {
  open = [];
  echo = createServer(socket => {
    open.push(socket);
    socket.on('error', () => undefined).pipe(socket);
  });
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const address = echo.address();
  proxy = await startTcpProxy({ host: '127.0.0.1', port: typeof address === 'object' && address ? address.port : 0 });
});

afterEach(async () => {
  await proxy.close();
  for (const socket of open) socket.destroy();
  echo.close();
});

interface Client {
  socket: Socket;
  heard(): string;
}

async function client(): Promise<Client> {
  const socket = connect(proxy.port, '127.0.0.1');
  let text = '';
  socket.on('data', chunk => (text += String(chunk))).on('error', () => undefined);
  await once(socket, 'connect');
  open.push(socket);
  return { socket, heard: () => text };
}

const hears = (who: Client, text: string) => waitUntil(`to hear ${text}`, () => who.heard() === text);

describe('a TCP proxy with faults', () => {
  test('passes data on', async () => {
    const one = await client();
    one.socket.write('ab');
    await hears(one, 'ab');
  });

  test('delays both directions when slow, and keeps the order', async () => {
    const one = await client();
    proxy.slow(40);
    const began = systemClock.monotonic();
    one.socket.write('1');
    one.socket.write('2');
    await waitUntil('the echo', () => one.heard() === '12');
    expect(systemClock.monotonic() - began).toBeGreaterThanOrEqual(75);
  });

  test('delivers the data in transit late after a cut', async () => {
    const one = await client();
    one.socket.write('a');
    await hears(one, 'a');
    proxy.cut();
    one.socket.write('b');
    const other = await client();
    expect(one.heard() + other.heard()).toBe('a');
    proxy.heal();
    await hears(one, 'ab');
  });

  test('never delivers data of a side that closed during a cut', async () => {
    const one = await client();
    one.socket.write('a');
    await hears(one, 'a');
    const before = open.length;
    proxy.cut();
    one.socket.write('late');
    one.socket.resetAndDestroy();
    await once(one.socket, 'close');
    let arrived = '';
    open[0]?.on('data', chunk => (arrived += String(chunk)));
    proxy.heal();
    const other = await client();
    other.socket.write('b');
    await hears(other, 'b');
    expect(open.length).toBeGreaterThan(before);
    expect(arrived).toBe('');
  });

  test('stays silent on old connections to a vanished peer, even after it is healed', async () => {
    const one = await client();
    proxy.vanish();
    one.socket.write('lost');
    proxy.heal();
    const other = await client();
    other.socket.write('b');
    await hears(other, 'b');
    expect(one.heard()).toBe('');
    expect(one.socket.destroyed).toBe(false);
  });

  test('resets both sides', async () => {
    const one = await client();
    one.socket.write('a');
    await hears(one, 'a');
    proxy.reset();
    await waitUntil('the end of the connection', () => one.socket.destroyed && open[0]?.destroyed);
  });
});
