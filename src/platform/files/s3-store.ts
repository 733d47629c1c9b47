import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { CalloutError, notFound } from '#kernel/errors.ts';
import { type FileStore, requireKey, type StoredFile, type Upload } from './file-store.ts';

/** An S3-compatible store: of a cloud, or MinIO and the like. */
export interface S3Options {
  /** Address without the bucket, `https://oss-cn-shanghai.aliyuncs.com`. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Whether addresses have the bucket in their path; otherwise it is part of the host name. */
  isPathStyle: boolean;
  /** Limit of one request, ms. */
  timeoutMs: number;
}

/** Smallest part that the protocol allows before the last, in bytes. */
const PART_BYTES = 5 * 1024 * 1024;
const RETRIES = 3;

interface Asked {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  key: string;
  query?: Readonly<Record<string, string>>;
  body?: Uint8Array | string;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Files at an S3-compatible store, by its multipart uploads; every request carries a signature over its body.
 *
 * Source: Amazon S3 API Reference, "CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload"; AWS Signature Version 4
 */
export function s3Store(options: S3Options): FileStore {
  const send = senderOf(options);
  return {
    partBytes: PART_BYTES,
    begin: key => beginUpload(send, key),
    async putPart({ key, uploadId }, number, bytes) {
      const answer = await send({ method: 'PUT', key, query: { partNumber: String(number), uploadId }, body: bytes });
      return answer.headers.get('etag') ?? '';
    },
    complete: (upload, tags) => completeUpload(send, upload, tags),
    async abort({ key, uploadId }) {
      await discardMissing(() => send({ method: 'DELETE', key, query: { uploadId } }));
    },
    open: key => openObject(send, key),
    async remove(key) {
      await discardMissing(() => send({ method: 'DELETE', key }));
    },
  };
}

type Send = (asked: Asked) => Promise<Response>;

function senderOf({ accessKeyId, secretAccessKey, region, timeoutMs, ...place }: S3Options): Send {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES });
  return async ({ method, key, query = {}, body = '', headers = {} }) => {
    const url = `${addressOf(place, key)}${suffixOf(query)}`;
    const request = {
      method,
      headers: { ...headers, 'X-Amz-Content-Sha256': createHash('sha256').update(body).digest('hex') },
      ...(method === 'GET' || method === 'DELETE'
        ? {}
        : { body: typeof body === 'string' ? body : new Uint8Array(body.buffer, body.byteOffset, body.length) }),
    };
    const answer = await withinTime(timeoutMs, signal => client.fetch(url, { ...request, signal }));
    if (answer.status === 404) throw notFound('文件');
    if (!answer.ok) throw invalid(new Error(`the file store answered ${answer.status}: ${await shortText(answer)}`));
    return answer;
  };
}

function addressOf({ endpoint, bucket, isPathStyle }: Pick<S3Options, 'endpoint' | 'bucket' | 'isPathStyle'>, key: string): string {
  const url = new URL(endpoint);
  const path = requireKey(key);
  return isPathStyle ? `${url.origin}/${bucket}/${path}` : `${url.protocol}//${bucket}.${url.host}/${path}`;
}

function suffixOf(query: Readonly<Record<string, string>>): string {
  return Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
}

/** Limits the time until the answer begins; its body may take as long as it needs. */
async function withinTime(timeoutMs: number, send: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
  const head = new AbortController();
  const timer = setTimeout(() => head.abort(), timeoutMs);
  try {
    return await send(head.signal);
  } catch (error) {
    if (head.signal.aborted) throw new CalloutError('DOWNSTREAM_TIMEOUT', '文件存储响应超时', { cause: error });
    throw invalid(error);
  } finally {
    clearTimeout(timer);
  }
}

async function beginUpload(send: Send, key: string): Promise<Upload> {
  const text = await (await send({ method: 'POST', key, query: { uploads: '' } })).text();
  const uploadId = textIn(text, 'UploadId');
  if (uploadId === null) throw invalid(new Error('the file store named no upload'));
  return { key, uploadId };
}

/** An upload of no part is no file: an empty one is put as a whole. A missing upload that has left its file was completed before. */
async function completeUpload(send: Send, { key, uploadId }: Upload, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) {
    await send({ method: 'PUT', key });
    await discardMissing(() => send({ method: 'DELETE', key, query: { uploadId } }));
    return;
  }
  const parts = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`).join('');
  const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts}</CompleteMultipartUpload>`;
  const answer = await send({ method: 'POST', key, query: { uploadId }, body }).catch((error: unknown) => unlessThere(send, key, error));
  // The protocol lets a failure come after the 200 that keeps the connection alive.
  const text = (await answer?.text()) ?? '';
  if (textIn(text, 'Code') !== null) throw invalid(new Error(`the file store did not complete a file: ${text.slice(0, 200)}`));
}

/** A key belongs to one upload, so a file that is there was completed by an earlier call. */
async function unlessThere(send: Send, key: string, error: unknown): Promise<null> {
  await openObject(send, key).catch(() => Promise.reject(error));
  return null;
}

async function openObject(send: Send, key: string): Promise<StoredFile> {
  const probe = await send({ method: 'GET', key, headers: { Range: 'bytes=0-0' } }).catch((error: unknown) => error);
  const totalBytes = probe instanceof Response ? await lengthOf(probe) : null;
  if (totalBytes === null) return emptyOrMissing(send, key);
  return { totalBytes, read: from => bodyOf(send, key, from), close: () => Promise.resolve() };
}

/** An empty file has no first byte, so its probe is refused (416). */
async function emptyOrMissing(send: Send, key: string): Promise<StoredFile> {
  const whole = await send({ method: 'GET', key });
  await whole.body?.cancel();
  return { totalBytes: 0, read: () => bodyOf(send, key), close: () => Promise.resolve() };
}

async function lengthOf(answer: Response): Promise<number> {
  await answer.body?.cancel();
  const [, total] = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '') ?? [];
  return Number(total ?? answer.headers.get('content-length') ?? 0);
}

async function* bodyOf(send: Send, key: string, from = 0): AsyncGenerator<Uint8Array> {
  const { body } = await send({ method: 'GET', key, ...(from > 0 ? { headers: { Range: `bytes=${from}-` } } : {}) });
  for await (const chunk of body ?? []) yield chunk;
}

async function discardMissing(remove: () => Promise<unknown>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!(error instanceof CalloutError) || error.code !== 'NOT_FOUND') throw error;
  }
}

function textIn(xml: string, name: string): string | null {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return text === undefined
    ? null
    : text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

async function shortText(answer: Response): Promise<string> {
  return (await answer.text()).slice(0, 200);
}

function invalid(cause: unknown): CalloutError {
  return new CalloutError('DOWNSTREAM_INVALID', '文件存储不可用或返回异常', { cause });
}
