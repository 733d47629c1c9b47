import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { ADMIN, startTestServer, type TestServer } from '#test/support/server.ts';
import { socketUrl } from './graphql-client.ts';
import { type HandMadeSocket, openAdmitted, openSocket } from './hand-made-socket.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = (await server.api('POST', '/api/auth/login', ADMIN)).data.token;
});
afterAll(() => server.close());

const LIVE = 'subscription { liveCalls { __typename } }';
const OVERSIZED = 300_000;

const introduce = (socket: HandMadeSocket) => socket.say({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
const admitted = () => openAdmitted(socketUrl(server), token);

/** One frame as in RFC 6455, with the mask that a client must use; `head` is its first byte. */
function frame(head: number, payload: Buffer): Buffer {
  const mask = Buffer.alloc(4);
  return Buffer.concat([Buffer.from([head, 0x80 | payload.length]), mask, payload]);
}

const TEXT = 0x81;
const UNFINISHED_TEXT = 0x01;
const RESERVED = 0x83;
const COMPRESSED_TEXT = 0xc1;
const NO_UTF_8 = Buffer.from([0xff, 0xfe, 0xfd]);

describe('a message outside the protocol ends with 4400 [graphql-transport-ws]', () => {
  test.each([
    ['no JSON', '{'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"connection_init"'],
    ['a number', '7'],
    ['an object without a type', '{}'],
    ['a type that is no text', { type: 7 }],
    ['an unknown type', { type: 'start' }],
    ['a type of the forerunner of the protocol', { type: 'connection_terminate' }],
    ['a type that only servers send', { type: 'connection_ack' }],
    ['a message of the server’s with its id', { type: 'next', id: '1', payload: {} }],
    ['a failure, which only servers send', { type: 'error', id: '1', payload: [{ message: 'x' }] }],
    ['a subscribe without an id', { type: 'subscribe', payload: { query: LIVE } }],
    ['a subscribe with an empty id', { type: 'subscribe', id: '', payload: { query: LIVE } }],
    ['a subscribe whose id is a number', { type: 'subscribe', id: 1, payload: { query: LIVE } }],
    ['a subscribe without a payload', { type: 'subscribe', id: '1' }],
    ['a subscribe without a query', { type: 'subscribe', id: '1', payload: {} }],
    ['a subscribe whose query is no text', { type: 'subscribe', id: '1', payload: { query: 7 } }],
    ['a subscribe whose variables are a text', { type: 'subscribe', id: '1', payload: { query: LIVE, variables: 'x' } }],
    ['a subscribe whose operation name is a number', { type: 'subscribe', id: '1', payload: { query: LIVE, operationName: 7 } }],
    ['a complete without an id', { type: 'complete' }],
    ['a ping whose payload is a text', { type: 'ping', payload: 'x' }],
    ['a pong whose payload is a list', { type: 'pong', payload: [] }],
  ])('%s', async (_what, message) => {
    const socket = await admitted();
    socket.say(message);
    expect((await socket.untilClosed()).code).toBe(4400);
  });

  test('a connection_init whose payload is a text', async () => {
    const socket = await openSocket(socketUrl(server));
    socket.say({ type: 'connection_init', payload: 'x' });
    expect((await socket.untilClosed()).code).toBe(4400);
  });

  test('a binary message, even with the JSON of a valid one', async () => {
    const socket = await admitted();
    socket.socket.send(Buffer.from(JSON.stringify({ type: 'ping' })), { binary: true });
    expect(await socket.untilClosed()).toEqual({ code: 4400, reason: 'Invalid message' });
  });
});

describe('the order of messages [graphql-transport-ws]', () => {
  test.each([
    ['before the introduction', () => openSocket(socketUrl(server))],
    [
      'before its acknowledgement',
      async () => {
        const socket = await openSocket(socketUrl(server));
        introduce(socket);
        return socket;
      },
    ],
  ])('4401: a subscribe %s', async (_when, open) => {
    const socket = await open();
    socket.say({ type: 'subscribe', id: '1', payload: { query: LIVE } });
    expect((await socket.untilClosed()).code).toBe(4401);
  });

  test('4408: no connection_init in time', async () => {
    const socket = await openSocket(socketUrl(server));
    expect((await socket.untilClosed()).code).toBe(4408);
  });

  test('4408: a ping does not replace connection_init', async () => {
    const socket = await openSocket(socketUrl(server));
    expect((await socket.untilClosed()).code).toBe(4408);
  });

  test('4429: a second connection_init, before or after the first is acknowledged', async () => {
    const late = await admitted();
    late.say({ type: 'connection_init', payload: {} });
    expect((await late.untilClosed()).code).toBe(4429);
    const early = await openSocket(socketUrl(server));
    introduce(early);
    introduce(early);
    expect((await early.untilClosed()).code).toBe(4429);
  });

  test('4409: an id used twice at once; the id of a completed operation may be used again', async () => {
    const socket = await admitted();
    socket.say({ type: 'subscribe', id: '1', payload: { query: '{ __typename }' } });
    await socket.untilReceived('complete');
    socket.say({ type: 'subscribe', id: '1', payload: { query: LIVE } });
    await socket.untilReceived('next');
    socket.say({ type: 'subscribe', id: '1', payload: { query: LIVE } });
    expect(await socket.untilClosed()).toEqual({ code: 4409, reason: 'Subscriber for 1 already exists' });
  });

  test('4409: a duplicate id that is too long for a close frame', async () => {
    const socket = await admitted();
    const subscribe = { type: 'subscribe', id: '一'.repeat(50), payload: { query: LIVE } };
    socket.say(subscribe);
    socket.say(subscribe);
    expect(await socket.untilClosed()).toEqual({ code: 4409, reason: 'Subscriber already exists' });
  });

  test('4406: no subprotocol', async () => {
    const socket = new WebSocket(socketUrl(server));
    const [code] = await once(socket, 'close');
    expect(code).toBe(4406);
  });

  test('the id of an operation that was completed before it began may be used again', async () => {
    const socket = await admitted();
    const subscribe = { type: 'subscribe', id: '1', payload: { query: 'subscription { overview { __typename } }' } };
    for (const message of [subscribe, { type: 'complete', id: '1' }, subscribe]) socket.say(message);
    expect(await socket.untilReceived('next')).toMatchObject({ id: '1' });
    socket.say({ type: 'ping' });
    await socket.untilReceived('pong');
    expect(socket.received.filter(({ type }) => type === 'next')).toHaveLength(1);
  });

  test('4406: another subprotocol is refused at the handshake', async () => {
    const socket = new WebSocket(socketUrl(server), 'graphql-ws');
    const [error] = await once(socket, 'error');
    expect(String(error)).toContain('subprotocol');
  });

  test('completing an unknown operation is not a fault', async () => {
    const socket = await admitted();
    socket.say({ type: 'complete', id: 'unknown' });
    socket.say({ type: 'ping' });
    await socket.untilReceived('pong');
    expect(socket.socket.readyState).toBe(socket.socket.OPEN);
  });
});

describe('invalid WebSocket frames [RFC 6455 7.4.1]', () => {
  test.each([
    ['1007: a text that is no UTF-8', 1007, frame(TEXT, NO_UTF_8)],
    ['1002: a reserved kind of frame', 1002, frame(RESERVED, Buffer.from('{}'))],
    ['1002: a compressed frame, which was not agreed on', 1002, frame(COMPRESSED_TEXT, Buffer.from('{}'))],
    ['1002: a frame without its mask', 1002, Buffer.concat([Buffer.from([TEXT, 2]), Buffer.from('{}')])],
    [
      '1002: a text inside an unfinished text',
      1002,
      Buffer.concat([frame(UNFINISHED_TEXT, Buffer.from('{')), frame(TEXT, Buffer.from('}'))]),
    ],
  ])('%s', async (_what, code, bytes) => {
    const socket = await admitted();
    (Reflect.get(socket.socket, '_socket') as Socket).write(bytes);
    expect((await socket.untilClosed()).code).toBe(code);
  });

  test('1009: a message that is too large, in one frame or in many', async () => {
    const whole = await admitted();
    whole.say({ type: 'ping', payload: { much: 'x'.repeat(OVERSIZED) } });
    expect((await whole.untilClosed()).code).toBe(1009);
    const pieces = await admitted();
    for (let sent = 0; sent < OVERSIZED; sent += 10_000) pieces.socket.send('x'.repeat(10_000), { fin: false });
    expect((await pieces.untilClosed()).code).toBe(1009);
  });

  test('a fragmented message that is small enough is accepted', async () => {
    const socket = await admitted();
    for (const [piece, fin] of [
      ['{"type":', false],
      ['"ping"}', true],
    ] as const)
      socket.socket.send(piece, { fin });
    await socket.untilReceived('pong');
    expect(socket.socket.readyState).toBe(socket.socket.OPEN);
  });

  test('whatever one socket sends, the others are not affected', async () => {
    const good = await admitted();
    const bad = await admitted();
    bad.say('{');
    await bad.untilClosed();
    good.say({ type: 'ping' });
    await good.untilReceived('pong');
    expect(good.socket.readyState).toBe(good.socket.OPEN);
  });
});
