import type { IncomingMessage } from 'node:http';
import { requireStorable } from './storable.ts';
import { CalloutError } from '#kernel/errors.ts';

/** Source: D2.2 */
export const DEFAULT_BODY_LIMIT_BYTES = 2 * 1024 * 1024;

/**
 * Reads the JSON body of a request; `{}` when it has none.
 *
 * Errors: UNSUPPORTED_MEDIA_TYPE when it is not JSON in UTF-8; PAYLOAD_TOO_LARGE over `limitBytes`; INVALID_ARGUMENT when malformed
 * Source: D2.2
 */
export async function readJsonBody(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  if (!hasBody(request)) return {};
  requireJson(request);
  const bytes = await readBytes(request, limitBytes);
  if (bytes.length === 0) return {};
  const body = parseJson(bytes);
  requireStorable(body);
  return body;
}

/**
 * Reads a URL-encoded form, `name=value&…`.
 *
 * Errors: UNSUPPORTED_MEDIA_TYPE for another type; PAYLOAD_TOO_LARGE over `limitBytes`; INVALID_ARGUMENT with text that no store can hold
 */
export async function readFormBody(request: IncomingMessage, limitBytes: number): Promise<URLSearchParams> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw new CalloutError('UNSUPPORTED_MEDIA_TYPE', '请求体必须是 application/x-www-form-urlencoded');
  }
  const form = new URLSearchParams((await readBytes(request, limitBytes)).toString('utf8'));
  for (const [name, value] of form) requireStorable(value, [name]);
  return form;
}

/** Reads the body as it was sent, of any type. Errors: PAYLOAD_TOO_LARGE over `limitBytes` */
export function readRawBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return readBytes(request, limitBytes);
}

function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset="?utf-?8"?\s*)?;?$/i;

function requireJson(request: IncomingMessage): void {
  const type = request.headers['content-type'] ?? '';
  if (!JSON_TYPE.test(type.trim())) throw new CalloutError('UNSUPPORTED_MEDIA_TYPE', '请求体必须是 UTF-8 编码的 application/json');
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new CalloutError('UNSUPPORTED_MEDIA_TYPE', '不支持压缩的请求体');
}

/**
 * Why: events instead of the stream's iterator, which costs more than reading a body of a few hundred bytes. A body that is too large is
 *      refused as soon as that is known; the code that sends the answer discards the rest
 */
function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = () => {
      request.off('data', take);
      chunks.length = 0;
      reject(tooLarge(limitBytes));
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) refuse();
      else chunks.push(chunk);
    };
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) return refuse();
    const fail = (cause?: unknown) => reject(new CalloutError('INVALID_ARGUMENT', '请求体未完整送达', { cause }));
    request
      .on('data', take)
      .on('end', () => resolve(Buffer.concat(chunks, size)))
      .on('error', fail)
      .on('close', () => (request.readableEnded ? undefined : fail()));
  });
}

function tooLarge(limitBytes: number): CalloutError {
  return new CalloutError('PAYLOAD_TOO_LARGE', `请求体不能超过 ${Math.floor(limitBytes / 1024)} KiB`);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch (error) {
    throw new CalloutError('INVALID_ARGUMENT', '参数错误：请求体 不是合法的 JSON', { field: '请求体', cause: error });
  }
}
