import type { IncomingMessage, ServerResponse } from 'node:http';
import { failure, success } from './envelope.ts';
import { CalloutError } from '#kernel/errors.ts';
import { STATUS_OF } from './status.ts';

export function answerData(response: ServerResponse, data: unknown): void {
  writeJson(response, 200, success(data ?? null));
}

/** Like `answerData`, for a response without headers so far: written at once, they need not be stored by name first. */
export function answerDataWith(headers: readonly string[], response: ServerResponse, data: unknown): void {
  const text = JSON.stringify(success(data ?? null));
  response.writeHead(200, ['Content-Type', JSON_TYPE, 'Content-Length', String(Buffer.byteLength(text)), ...headers]);
  response.end(text);
}

/**
 * Answers with a failure; the text of an error outside the catalogue stays in the logs.
 *
 * Shape:  a 5xx carries `（追踪号 <id>）`; RATE_LIMITED carries `Retry-After`
 * Source: D2.1
 */
export function answerFailure(response: ServerResponse, error: unknown, traceId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const known = error instanceof CalloutError ? error : new CalloutError('INTERNAL', '服务器内部错误', { cause: error });
  const status = STATUS_OF[known.code];
  if (known.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(known.retryAfterSeconds));
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (!response.req.complete) discardRest(response.req);
  const msg = status >= 500 ? `${known.message}（追踪号 ${traceId}）` : known.message;
  const body = failure(status, msg, known.reason ?? known.code);
  // OCS 4.8 rule 1 requires an `error` text; D7.5 puts it beside the envelope's members.
  writeJson(response, status, known.code === 'POLICY_FORBIDS' ? { ...body, error: msg } : body);
}

/** Time in which a client that is still sending can read the answer, in ms. */
const LINGER_MS = 10_000;

/** Discards what the client still sends: closing the connection meanwhile would reset it, and the client might never read the answer. */
function discardRest(request: IncomingMessage): void {
  const cut = setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
  request.once('close', () => clearTimeout(cut)).resume();
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function writeJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', JSON_TYPE);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
