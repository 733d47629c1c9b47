import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type EslConnection, type EslConnectionOptions, openEsl } from '#platform/freeswitch/esl-connection.ts';
import { systemClock } from '#kernel/clock.ts';
import { bytesOf } from '#test/unit/platform/freeswitch/recording.ts';
import { hastyClock } from '#test/support/switch-rig.ts';
import { waitUntil } from '#test/support/wait-until.ts';

const GREETING = 'Content-Type: auth/request\n\n';
const ACCEPTED = 'Content-Type: command/reply\nReply-Text: +OK accepted\n\n';

let server: Server | null = null;
let connection: EslConnection | null = null;

afterEach(async () => {
  connection?.destroy('end of the test');
  connection = null;
  await new Promise<void>(resolve => (server ? server.close(() => resolve()) : resolve()));
  server = null;
});

/** A server that greets, accepts any password, and then handles each chunk as the test wants. */
async function serve(onChunk: (text: string, socket: Socket) => void, greeting: string | Buffer = GREETING): Promise<number> {
  const listening = createServer(socket => {
    socket.on('error', () => socket.destroy());
    socket.write(greeting);
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString();
      if (text.startsWith('auth ')) socket.write(ACCEPTED);
      else onChunk(text, socket);
    });
  });
  server = listening;
  await new Promise<void>(resolve => listening.listen(0, '127.0.0.1', resolve));
  const address = listening.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return address.port;
}

async function open(port: number, change: Partial<EslConnectionOptions> = {}): Promise<{ closedBecause: string[] }> {
  const closedBecause: string[] = [];
  connection = await openEsl({
    target: { host: '127.0.0.1', port, password: 'x' },
    clock: systemClock,
    connectTimeoutMs: 2_000,
    silenceLimitMs: null,
    signal: new AbortController().signal,
    onEvent: () => undefined,
    onClose: reason => closedBecause.push(reason),
    ...change,
  });
  return { closedBecause };
}

describe('opening [fixtures/esl/README §1]', () => {
  test('an address outside the ACL is refused with its reason', async () => {
    const port = await serve(() => undefined, bytesOf('a8-acl-reject', 'S->C'));
    await expect(open(port)).rejects.toThrow('ACL');
  });

  test('a switch that does not greet times out', async () => {
    const port = await serve(() => undefined, '');
    await expect(open(port, { clock: hastyClock(20) })).rejects.toThrow('no greeting');
  });

  test('an abort ends even a connection that is not open yet', async () => {
    const port = await serve(() => undefined, '');
    const stopping = new AbortController();
    const opening = open(port, { signal: stopping.signal });
    stopping.abort();
    await expect(opening).rejects.toThrow('stopped');
  });
});

describe('causes that end a connection', () => {
  test('a command without a reply: it may have been executed, and all later ones are lost too', async () => {
    const port = await serve(() => undefined);
    const { closedBecause } = await open(port, { clock: hastyClock(10) });
    const results = await Promise.allSettled([1_000, 9_000].map(async timeoutMs => connection?.api('status', timeoutMs)));
    expect(results.map(result => result.status === 'rejected' && result.reason)).toMatchObject([
      { wasWritten: true },
      { wasWritten: true },
    ]);
    expect(closedBecause).toEqual(['no reply within 1000 ms']);
    await expect(connection?.api('status', 1_000)).rejects.toMatchObject({ wasWritten: false });
  });

  test('a reply of the wrong kind', async () => {
    const port = await serve((_text, socket) => socket.write('Content-Type: command/reply\nReply-Text: +OK\n\n'));
    const { closedBecause } = await open(port);
    await expect(connection?.api('status', 1_000)).rejects.toThrow('out of order');
    expect(closedBecause).toEqual(['replies out of order']);
  });

  test('a disconnect notice', async () => {
    const port = await serve((_text, socket) =>
      socket.write(bytesOf('f-fsctl-shutdown-idle', 'S->C').subarray(GREETING.length + ACCEPTED.length)),
    );
    const { closedBecause } = await open(port);
    await expect(connection?.api('status', 1_000)).rejects.toThrow('goodbye');
    expect(closedBecause).toEqual(['the switch says goodbye: The system is being shut down.']);
  });

  test('silence where heartbeats are expected', async () => {
    const port = await serve(() => undefined);
    const { closedBecause } = await open(port, { clock: hastyClock(100), silenceLimitMs: 45_000, connectTimeoutMs: 100_000 });
    await waitUntil('the end', () => closedBecause.length > 0);
    expect(closedBecause).toEqual(['nothing heard for 45000 ms']);
  });

  test('events that are read too late: the switch would wait for the client [§7.2]', async () => {
    const event = (stampedAt: number) => {
      const payload = `Event-Name: HEARTBEAT\nEvent-Date-Timestamp: ${Math.round(stampedAt * 1_000)}\n\n`;
      return `Content-Length: ${payload.length}\nContent-Type: text/event-plain\n\n${payload}`;
    };
    const now = systemClock.now();
    const port = await serve((_text, socket) => socket.write(event(now - 3_600_000) + event(now - 3_620_000)));
    const { closedBecause } = await open(port);
    await expect(connection?.command('event plain HEARTBEAT', 1_000)).rejects.toThrow('too late');
    expect(closedBecause).toEqual(['events are read too late']);
  });

  test('bytes that are not the protocol', async () => {
    const port = await serve((_text, socket) => socket.write('Content-Length: many\n\n'));
    const { closedBecause } = await open(port);
    await expect(connection?.api('status', 1_000)).rejects.toThrow('protocol error');
    expect(closedBecause).toHaveLength(1);
  });
});

test('replies and events in one chunk are separated, in order [§7.5]', async () => {
  const events: string[] = [];
  const recorded = bytesOf('b-gw-nonexistent-plain', 'S->C');
  const at = recorded.indexOf('Content-Type: command/reply\nReply-Text: +OK Job-UUID');
  const port = await serve((_text, socket) => socket.write(recorded.subarray(at)));
  await open(port, { onEvent: event => events.push(`${event.name} ${event.body.trim()}`) });
  const reply = await connection?.command('bgapi originate x &park()', 1_000);
  expect(reply?.text).toBe('+OK Job-UUID: ccadcb4d-8452-4d5f-96fc-4850205a87ba');
  expect(events).toEqual(['BACKGROUND_JOB -ERR INVALID_GATEWAY']);
});
