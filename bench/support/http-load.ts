import { connect, type Socket } from 'node:net';
import { systemClock } from '#kernel/clock.ts';

/** Length of the example of a failed response. */
const SHOWN_CHARACTERS = 1_000;

export interface HttpLoad {
  port: number;
  path: string;
  headers: Readonly<Record<string, string>>;
  connections: number;
  seconds: number;
  /** Target rate of requests in total, if the responses keep up; absent: as fast as possible. */
  perSecond?: number;
  /**
   * JSON body of request n. `dueAt`: monotonic time of sending, in ms; when its connection still waited for the response before, the time
   * at which it should have been sent, so that a stall of the server counts against every request that it delays.
   */
  body(index: number, dueAt: number): string;
  /** Source address of connection n; absent: chosen by the system. */
  localAddress?(connection: number): string;
}

export interface HttpLoadResult {
  perSecond: number;
  answers: number;
  /** Responses with a status other than 200. */
  failures: number;
  /** Beginning of the first of them. */
  firstFailure: string | null;
}

/**
 * Keeps `connections` busy with one request at a time each, at the lowest cost for the client.
 *
 * Why: the client shares the machine with what it measures
 */
export async function loadHttp(load: HttpLoad): Promise<HttpLoadResult> {
  const total: Total = { answers: 0, failures: 0, sent: 0, firstFailure: null };
  const startedAt = systemClock.monotonic();
  const endsAt = startedAt + load.seconds * 1_000;
  await Promise.all(
    Array.from({ length: load.connections }, (_none, index) =>
      keepAsking(load, total, { endsAt, localAddress: load.localAddress?.(index) }),
    ),
  );
  const { answers, failures, firstFailure } = total;
  return { answers, failures, firstFailure, perSecond: (answers * 1_000) / (systemClock.monotonic() - startedAt) };
}

type Total = Pick<HttpLoadResult, 'answers' | 'failures' | 'firstFailure'> & { sent: number };

interface Asking {
  endsAt: number;
  localAddress: string | undefined;
}

function keepAsking(load: HttpLoad, total: Total, { endsAt, localAddress }: Asking): Promise<void> {
  const head = headOf(load);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: load.port, noDelay: true, ...(localAddress === undefined ? {} : { localAddress }) });
    const spacingMs = load.perSecond === undefined ? 0 : (load.connections * 1_000) / load.perSecond;
    let dueAt = systemClock.monotonic() + Math.random() * spacingMs;
    const askWhenDue = () => {
      const waitMs = dueAt - systemClock.monotonic();
      const wasDueAt = dueAt;
      dueAt += spacingMs;
      if (spacingMs === 0) ask();
      else if (waitMs <= 0) ask(wasDueAt);
      else setTimeout(ask, waitMs);
    };
    const ask = (wasDueAt?: number) => {
      const now = systemClock.monotonic();
      if (now >= endsAt) {
        socket.end(() => resolve());
        return;
      }
      const body = load.body((total.sent += 1), wasDueAt ?? now);
      socket.write(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`);
    };
    socket.once('connect', askWhenDue).once('error', reject);
    readAnswers(socket, (status, answer) => {
      total.answers += 1;
      if (status !== 200) {
        total.failures += 1;
        total.firstFailure ??= answer.slice(0, SHOWN_CHARACTERS);
      }
      askWhenDue();
    });
  });
}

function headOf({ path, headers }: HttpLoad): string {
  const lines = Object.entries({ Host: '127.0.0.1', 'Content-Type': 'application/json', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: `;
}

/** Reads responses with Content-Length, one at a time. */
function readAnswers(socket: Socket, answered: (status: number, answer: string) => void): void {
  let text = '';
  socket.on('data', chunk => {
    text += chunk.toString('latin1');
    const end = text.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
    if (text.length < end + 4 + length) return;
    const answer = text.slice(0, end + 4 + length);
    text = text.slice(answer.length);
    answered(Number(answer.slice(9, 12)), answer);
  });
}
