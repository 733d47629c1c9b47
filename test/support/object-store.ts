import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ObjectStore {
  endpoint: string;
  accessKeyId: string;
  secretAccessKey: string;
  bucket: string;
  objects: Map<string, Buffer>;
  /** Uploads that are neither completed nor aborted. */
  uploads: Map<string, Map<number, { etag: string; bytes: Buffer }>>;
  /** Requests that were refused because of their signature. */
  refused: string[];
  /** Answers the next request with this status instead of doing it. */
  failNext(status: number): void;
  close(): Promise<void>;
}

const ACCESS_KEY = 'test-access-key';
const SECRET_KEY = 'test-secret-key';
const BUCKET = 'callout-files';
const REGION = 'us-east-1';

/**
 * A server that speaks as much of the S3 protocol as the product uses, and checks the signature of each request by itself.
 *
 * Source: AWS Signature Version 4, "Create a signed AWS API request"
 */
export async function startObjectStore(): Promise<ObjectStore> {
  const objects: ObjectStore['objects'] = new Map();
  const uploads: ObjectStore['uploads'] = new Map();
  const refused: string[] = [];
  let nextStatus: number | null = null;
  let nextUpload = 1;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const url = new URL(request.url ?? '/', 'http://store');
    if (nextStatus !== null) {
      response.writeHead(nextStatus).end();
      nextStatus = null;
      return;
    }
    const fault = signatureFault(request, url, body);
    if (fault !== null) {
      refused.push(fault);
      response.writeHead(403).end(`<Error><Code>SignatureDoesNotMatch</Code><Message>${fault}</Message></Error>`);
      return;
    }
    const key = url.pathname.replace(`/${BUCKET}/`, '');
    const uploadId = url.searchParams.get('uploadId');
    if (request.method === 'POST' && url.searchParams.has('uploads')) return begin(response);
    if (uploadId !== null) return partRequest(request, response, { key, uploadId, url, body });
    objectRequest(request, response, { key, body });
  }

  function begin(response: ServerResponse): void {
    const id = `upload-${nextUpload++}`;
    uploads.set(id, new Map());
    response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }

  function partRequest(
    request: IncomingMessage,
    response: ServerResponse,
    { key, uploadId, url, body }: { key: string; uploadId: string; url: URL; body: Buffer },
  ): void {
    const parts = uploads.get(uploadId);
    if (!parts) return void response.writeHead(404).end('<Error><Code>NoSuchUpload</Code></Error>');
    if (request.method === 'PUT') {
      const etag = `"${createHash('md5').update(body).digest('hex')}"`;
      parts.set(Number(url.searchParams.get('partNumber')), { etag, bytes: body });
      return void response.writeHead(200, { ETag: etag }).end();
    }
    uploads.delete(uploadId);
    if (request.method === 'DELETE') return void response.writeHead(204).end();
    const listed = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)];
    const found = listed.map(([, number, etag]) => ({ part: parts.get(Number(number)), etag: etag?.replaceAll('&quot;', '"') }));
    if (found.some(({ part, etag }) => part?.etag !== etag)) return void response.end('<Error><Code>InvalidPart</Code></Error>');
    objects.set(key, Buffer.concat(found.flatMap(({ part }) => part?.bytes ?? [])));
    response.end('<CompleteMultipartUploadResult/>');
  }

  function objectRequest(request: IncomingMessage, response: ServerResponse, { key, body }: { key: string; body: Buffer }): void {
    if (request.method === 'PUT') {
      objects.set(key, body);
      return void response.end();
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    const bytes = objects.get(key);
    if (!bytes) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    const [, from = '', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    if (from === '') return void response.end(bytes);
    if (Number(from) >= bytes.length) return void response.writeHead(416).end();
    const last = Math.min(to === '' ? bytes.length - 1 : Number(to), bytes.length - 1);
    response.writeHead(206, { 'Content-Range': `bytes ${from}-${last}/${bytes.length}` });
    response.end(bytes.subarray(Number(from), last + 1));
  }

  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    accessKeyId: ACCESS_KEY,
    secretAccessKey: SECRET_KEY,
    bucket: BUCKET,
    objects,
    uploads,
    refused,
    failNext: status => void (nextStatus = status),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Null when the request carries the right signature over its method, address, headers and body. */
function signatureFault(request: IncomingMessage, url: URL, body: Buffer): string | null {
  const { headers } = request;
  const [, credential = '', signed = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(headers.authorization ?? '') ?? [];
  if (!signed.split(';').includes('host')) return 'no signature over the host';
  const hash = String(headers['x-amz-content-sha256']);
  if (hash !== sha256(body)) return 'the body is not what its hash says';
  const [key, date = '', region = '', service = ''] = credential.split('/');
  if (key !== ACCESS_KEY) return 'an unknown access key';
  if (region !== REGION || service !== 's3') return 'another scope';
  const query = [...url.searchParams]
    .map(pair => pair.map(encoded).join('='))
    .sort()
    .join('&');
  const listed = signed.split(';').map(name => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [request.method, url.pathname, query, listed.join(''), signed, hash].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], [date, region, service, 'aws4_request'].join('/'), sha256(canonical)].join('\n');
  const signingKey = [date, region, service, 'aws4_request'].reduce<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${SECRET_KEY}`,
  );
  return hmac(signingKey, text).toString('hex') === signature ? null : 'another signature';
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}
