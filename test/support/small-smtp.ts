import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and body as sent. */
  text: string;
}

export interface SmallSmtp {
  url: string;
  mails: ReceivedMail[];
  /** Refuses every recipient from now on. */
  refuse(): void;
  close(): Promise<void>;
}

/** A mail server of the test: what RFC 5321 asks of a receiver, without TLS and sign-in. */
export async function startSmallSmtp(): Promise<SmallSmtp> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  let isRefusing = false;
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    converse(
      socket,
      () => isRefusing,
      mail => mails.push(mail),
    );
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: () => void (isRefusing = true),
    close: () =>
      new Promise(resolve => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function converse(socket: Socket, isRefusing: () => boolean, keep: (mail: ReceivedMail) => void): void {
  let mail: ReceivedMail = { from: '', to: [], text: '' };
  let data: string[] | null = null;
  let rest = '';
  const say = (line: string) => void socket.write(`${line}\r\n`);
  const hear = (line: string): void => {
    if (data !== null) {
      if (line !== '.') {
        data.push(line);
        return;
      }
      keep({ ...mail, text: data.join('\n') });
      [mail, data] = [{ from: '', to: [], text: '' }, null];
      return say('250 2.0.0 queued');
    }
    const [, address = ''] = /<([^>]*)>/.exec(line) ?? [];
    if (/^(?:EHLO|HELO)/i.test(line)) return say('250 small');
    if (/^MAIL FROM/i.test(line)) mail = { ...mail, from: address };
    if (/^RCPT TO/i.test(line) && isRefusing()) return say('550 5.1.1 nobody');
    if (/^RCPT TO/i.test(line)) mail.to.push(address);
    if (/^DATA/i.test(line)) {
      data = [];
      return say('354 go on');
    }
    if (/^QUIT/i.test(line)) {
      socket.end('221 bye\r\n');
      return;
    }
    say('250 ok');
  };
  say('220 small ESMTP');
  socket.on('error', () => undefined);
  socket.on('data', chunk => {
    const lines = (rest + chunk.toString('utf8')).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) hear(line);
  });
}
