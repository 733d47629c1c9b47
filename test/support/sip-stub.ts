import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** The end of a switch that a browser's phone talks to, as far as the states of its bar need: it registers, refuses and rings. */
export interface SipStub {
  url: string;
  /** Answers the next registrations like this; 200 by default. */
  answerRegistrations(status: number, headers?: Readonly<Record<string, string>>): void;
  /** Rings at every phone that has registered; resolves to the status with which the first one ended the call. */
  ring(from: { number: string; name: string }): Promise<number>;
  close(): Promise<void>;
}

const FINAL = 200;
const DOMAIN = 'stub.invalid';

interface Message {
  first: string;
  headers: Map<string, string>;
}

/** Starts it at a free port of this machine. */
export async function startSipStub(): Promise<SipStub> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, handleProtocols: () => 'sip' });
  await once(server, 'listening');
  const stub = new Stub();
  server.on('connection', socket => stub.welcome(socket));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerRegistrations: (status, headers = {}) => (stub.registrations = { status, headers }),
    ring: from => stub.ring(from),
    async close() {
      for (const client of server.clients) client.terminate();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

class Stub {
  registrations: { status: number; headers: Readonly<Record<string, string>> } = { status: FINAL, headers: {} };
  /** Contact of each phone that has registered. */
  readonly #phones = new Map<WebSocket, string>();
  /** Calls that ring, by their Call-ID. */
  readonly #ringing = new Map<string, (status: number) => void>();

  welcome(socket: WebSocket): void {
    socket.on('message', (data: Buffer) => this.#receive(socket, messageOf(data.toString())));
    socket.on('close', () => this.#phones.delete(socket));
  }

  ring(from: { number: string; name: string }): Promise<number> {
    const id = token();
    for (const [socket, contact] of this.#phones) socket.send(inviteOf(id, contact, from));
    return new Promise(resolve => this.#ringing.set(id, resolve));
  }

  #receive(socket: WebSocket, message: Message): void {
    const [method = '', status = ''] = message.first.split(' ');
    if (method === 'REGISTER') this.#register(socket, message);
    else if (method === 'SIP/2.0') this.#hear(socket, message, Number(status));
    else if (method !== 'ACK') socket.send(answerTo(message, FINAL, {}));
  }

  #register(socket: WebSocket, message: Message): void {
    const { status, headers } = this.registrations;
    const contact = message.headers.get('contact') ?? '';
    if (status === FINAL) this.#phones.set(socket, /<([^>]+)>/.exec(contact)?.[1] ?? '');
    socket.send(answerTo(message, status, { ...headers, ...(status === FINAL && { Contact: contact }) }));
  }

  /** A phone answers our INVITE. */
  #hear(socket: WebSocket, message: Message, status: number): void {
    if (status < FINAL || !message.headers.get('cseq')?.endsWith('INVITE')) return;
    const id = message.headers.get('call-id') ?? '';
    socket.send(ackOf(message));
    this.#ringing.get(id)?.(status);
    this.#ringing.delete(id);
  }
}

function messageOf(text: string): Message {
  const [first = '', ...lines] = (text.split('\r\n\r\n')[0] ?? '').split('\r\n');
  return {
    first,
    headers: new Map(lines.map(line => [line.split(':')[0]?.trim().toLowerCase() ?? '', line.slice(line.indexOf(':') + 1).trim()])),
  };
}

function answerTo({ headers }: Message, status: number, more: Readonly<Record<string, string>>): string {
  const to = headers.get('to') ?? '';
  return write(`SIP/2.0 ${status} Answer`, {
    Via: headers.get('via') ?? '',
    From: headers.get('from') ?? '',
    To: to.includes(';tag=') ? to : `${to};tag=${token()}`,
    'Call-ID': headers.get('call-id') ?? '',
    CSeq: headers.get('cseq') ?? '',
    ...more,
  });
}

/** Without a session description, because nobody speaks. */
function inviteOf(id: string, contact: string, { number, name }: { number: string; name: string }): string {
  return write(`INVITE ${contact} SIP/2.0`, {
    Via: `SIP/2.0/WS ${DOMAIN};branch=z9hG4bK${id}`,
    'Max-Forwards': '70',
    From: `"${name}" <sip:${number}@${DOMAIN}>;tag=${token()}`,
    To: `<${contact}>`,
    'Call-ID': id,
    CSeq: '1 INVITE',
    Contact: `<sip:stub@${DOMAIN};transport=ws>`,
  });
}

function ackOf({ headers }: Message): string {
  return write(`ACK sip:phone@${DOMAIN} SIP/2.0`, {
    Via: headers.get('via') ?? '',
    'Max-Forwards': '70',
    From: headers.get('from') ?? '',
    To: headers.get('to') ?? '',
    'Call-ID': headers.get('call-id') ?? '',
    CSeq: '1 ACK',
  });
}

function write(first: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ ...headers, 'Content-Length': '0' }).map(([name, value]) => `${name}: ${value}`);
  return [first, ...lines, '', ''].join('\r\n');
}

function token(): string {
  return randomBytes(8).toString('hex');
}
