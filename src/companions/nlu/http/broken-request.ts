import type { Duplex } from 'node:stream';
import type { NluFailure } from '#contract/nlu/envelope.ts';

const BAD_REQUEST = [400, 'Bad Request'] as const;
const PAYLOAD_TOO_LARGE = [413, 'Payload Too Large'] as const;

/** What Node's parser says of a request that it gives up. */
const FAULTS: Readonly<Record<string, readonly [status: typeof BAD_REQUEST | typeof PAYLOAD_TOO_LARGE, text: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [BAD_REQUEST, '请求没有在规定时间内传完'],
  HPE_HEADER_OVERFLOW: [PAYLOAD_TOO_LARGE, '请求头过长'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [PAYLOAD_TOO_LARGE, '请求体的分块扩展过长'],
};

/**
 * Refuses what never became a request in the envelope too, and ends the connection.
 *
 * Why:    Node answers it without a body, with statuses that the interface does not have
 * Source: NLU §1 "Every response uses the envelope", D13.5
 */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [[status, phrase], text] = FAULTS[error.code ?? ''] ?? [BAD_REQUEST, '不是合法的 HTTP 请求'];
  const failure: NluFailure = { ok: false, error: text };
  const body = JSON.stringify(failure);
  const head = [
    `HTTP/1.1 ${status} ${phrase}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
