import type { Duplex } from 'node:stream';
import type { NluFailure } from '#protocol/nlu.ts';

const BAD_REQUEST = [400, 'Bad Request'] as const;
const PAYLOAD_TOO_LARGE = [413, 'Payload Too Large'] as const;

/** Responses by the error code of Node's HTTP parser. */
const FAULTS: Readonly<Record<string, readonly [status: typeof BAD_REQUEST | typeof PAYLOAD_TOO_LARGE, text: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [BAD_REQUEST, '请求没有在规定时间内传完'],
  HPE_HEADER_OVERFLOW: [PAYLOAD_TOO_LARGE, '请求头过长'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [PAYLOAD_TOO_LARGE, '请求体的分块扩展过长'],
};

/**
 * Rejects a malformed request with the usual envelope, and closes the connection.
 *
 * Why:    Node by itself responds without a body, with status codes that the interface does not define
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
