import { problem } from '#kernel/problem.ts';
import type { IncomingMessage } from 'node:http';
import busboy, { type Busboy } from 'busboy';
import { CalloutError, invalidArgument, invalidInput, isCalloutError } from '#kernel/errors.ts';
import { requireStorable } from './parse.ts';

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
    throw invalidInput([{ field: '请求体', problem: problem('json') }], error);
  }
}

interface Upload {
  /** Name of the part that is the file. */
  fileField: string;
  fileName: string;
  bytes: Buffer;
  /** Text fields besides the file; the last one of a repeated name. */
  fields: Record<string, string>;
}

export const FILE_FIELD = 'file';
const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 64 * 1024;
const MAX_PARTS = MAX_FIELDS + 2;
const MAX_PART_HEADERS = 20;
/** Largest form without its file, in bytes. */
export const MAX_FORM_BYTES = MAX_FIELDS * MAX_FIELD_BYTES + 1024 * 1024;

/**
 * Reads a multipart form with one file.
 *
 * Shape:  with `fileField` null the file may have any name
 * Why:    one bounded buffer per upload; data beyond it is refused, never truncated
 * Units:  `maxFileBytes` bytes
 * Errors: UNSUPPORTED_MEDIA_TYPE; PAYLOAD_TOO_LARGE; INVALID_ARGUMENT when malformed, or not exactly one file
 * Source: OCS 4.7, D6.3
 */
export async function readUpload(request: IncomingMessage, maxFileBytes: number, fileField: string | null = FILE_FIELD): Promise<Upload> {
  const form = openForm(request, maxFileBytes);
  const collected = collect(form, maxFileBytes, fileField);
  await pour(request, form, maxFileBytes + MAX_FORM_BYTES);
  return collected;
}

export function openForm(request: IncomingMessage, maxFileBytes: number): Busboy {
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) {
    throw new CalloutError('UNSUPPORTED_MEDIA_TYPE', '请求体必须是 multipart/form-data');
  }
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: {
        files: 1,
        // The parser reports a file of exactly the limit as truncated.
        fileSize: maxFileBytes + 1,
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        parts: MAX_PARTS,
        headerPairs: MAX_PART_HEADERS,
      },
    });
  } catch (error) {
    throw malformed(error);
  }
}

function collect(form: Busboy, maxFileBytes: number, fileField: string | null): Promise<Upload> {
  const upload: Upload = { fileField: '', fileName: '', bytes: Buffer.alloc(0), fields: {} };
  let fault: CalloutError | null = null;
  let hasFile = false;
  const refuse = (error: CalloutError) => {
    fault ??= error;
  };
  form.on('file', (name, stream, { filename }) => {
    if (fileField !== null && name !== fileField) refuse(invalidArgument(FILE_FIELD, 'emptyButReceived', { received: name }));
    hasFile = true;
    upload.fileField = name;
    upload.fileName = filename ?? '';
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('limit', () => refuse(new CalloutError('PAYLOAD_TOO_LARGE', `文件不能超过 ${maxFileBytes / 1024 / 1024} MiB`)));
    stream.on('end', () => {
      upload.bytes = Buffer.concat(chunks);
    });
    // The form reports the same failure.
    stream.on('error', () => undefined);
  });
  form.on('field', (name, value, { valueTruncated, nameTruncated }) => {
    if (valueTruncated || nameTruncated) refuse(invalidArgument(name, 'tooManyKibibytes', { max: MAX_FIELD_BYTES / 1024 }));
    Object.defineProperty(upload.fields, name, { value, enumerable: true, configurable: true, writable: true });
  });
  form.on('filesLimit', () => refuse(invalidArgument(FILE_FIELD, 'oneFile')));
  form.on('fieldsLimit', () => refuse(invalidArgument('表单', 'membersAtMost', { max: MAX_FIELDS })));
  form.on('partsLimit', () => refuse(invalidArgument('表单', 'partsAtMost', { max: MAX_PARTS })));
  const settled = new Promise<Upload>((resolve, reject) => {
    form.on('error', error => reject(fault ?? malformed(error)));
    form.on('close', () => {
      if (fault) reject(fault);
      else if (!hasFile) reject(invalidArgument(FILE_FIELD, 'empty'));
      else resolve(upload);
    });
  });
  // The caller awaits it only after the last byte; until then this handler keeps a rejection from being unhandled.
  settled.catch(() => undefined);
  return settled;
}

/** `destroyOnReturn: false` keeps the socket open, so that a refusal can still be sent. */
async function pour(request: IncomingMessage, form: Busboy, maxBytes: number): Promise<void> {
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new CalloutError('PAYLOAD_TOO_LARGE', '请求体过大');
      if (!form.destroyed && !form.writableEnded) form.write(chunk);
    }
  } catch (error) {
    form.destroy();
    throw isCalloutError(error) ? error : new CalloutError('INVALID_ARGUMENT', '请求体未完整送达', { cause: error });
  }
  if (!form.destroyed) form.end();
}

export function malformed(error: unknown): CalloutError {
  return invalidInput([{ field: '表单', problem: problem('incompleteForm') }], error);
}

/** Time in which a client that is still sending can read the answer, in ms. */
const LINGER_MS = 10_000;

/**
 * Discards what the client still sends of a request that is answered before it has arrived.
 *
 * Why: closing the connection meanwhile would reset it, and the client might never read the answer; a browser that can send no more waits for ever
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete) return;
  const cut = setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
  request.once('close', () => clearTimeout(cut)).resume();
}
