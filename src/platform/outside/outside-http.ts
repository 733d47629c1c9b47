import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { guardedLookup, type OutsideRules } from './guarded-lookup.ts';
import { isPrivateAddress } from './private-address.ts';
import { OutsideError } from './outside-error.ts';

/** Bounds of open connections: to one host, and in all. */
const SOCKETS_OF_HOST = 32;
const SOCKETS = 256;
const IDLE_MS = 15_000;

export interface OutsideRequest {
  url: string;
  headers?: Readonly<Record<string, string>>;
  body: string;
  /** Covers everything from the connection to the last byte of the answer, ms. */
  timeoutMs: number;
  /** Most bytes of the answer that are read. */
  maxAnswerBytes: number;
  /** Treatment of a longer answer: cut it at `maxAnswerBytes`, or fail with `answer_too_long`. */
  longer: 'cut' | 'refuse';
}

export interface OutsideAnswer {
  status: number;
  text: string;
}

/** HTTP to addresses that people type: webhooks, robots, hooks. Redirects are not followed: they could lead anywhere. */
export interface OutsideHttp {
  /** Errors: OutsideError */
  post(request: OutsideRequest): Promise<OutsideAnswer>;
  close(): void;
}

/**
 * Whether a text is an address that may be written down: HTTPS without credentials; HTTP and private addresses where they are allowed. A name
 * is resolved when it is used.
 */
export function isOutsideUrl(text: string, { allowPrivate }: OutsideRules): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const isSecure = protocol === 'https:' || (allowPrivate && protocol === 'http:');
  const isPublic = allowPrivate || isIP(host) === 0 || !isPrivateAddress(host);
  return isSecure && isPublic && username === '' && password === '';
}

export function outsideHttp(rules: OutsideRules): OutsideHttp {
  const lookup = guardedLookup(rules);
  const options = { keepAlive: true, maxSockets: SOCKETS_OF_HOST, maxTotalSockets: SOCKETS, timeout: IDLE_MS, lookup };
  const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) };
  return {
    async post(request) {
      // A socket does not resolve an address, so that it is checked here.
      if (!isOutsideUrl(request.url, rules)) throw new OutsideError(isHttp(request.url) ? 'address_private' : 'address_invalid');
      return send(request, agents);
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function isHttp(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

interface Agents {
  'http:': HttpAgent;
  'https:': HttpsAgent;
}

function send({ url, headers = {}, body, timeoutMs, ...bounds }: OutsideRequest, agents: Agents): Promise<OutsideAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const target = new URL(url);
  const all = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)), ...headers };
  return new Promise((answer, fail) => {
    const refuse = (error: unknown) => fail(faultOf(error, signal));
    const read = (message: IncomingMessage) => void readAnswer(message, bounds).then(answer, refuse);
    const options = { method: 'POST', headers: all, signal };
    const request =
      target.protocol === 'http:'
        ? httpRequest(target, { ...options, agent: agents['http:'] }, read)
        : httpsRequest(target, { ...options, agent: agents['https:'] }, read);
    request.on('error', error => {
      // The other side may close an idle connection at the moment at which it is used again.
      if (request.reusedSocket && isReset(error)) answer(send({ url, headers, body, timeoutMs, ...bounds }, agents));
      else refuse(error);
    });
    request.end(body);
  });
}

function isReset(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET';
}

function faultOf(error: unknown, signal: AbortSignal): OutsideError {
  if (error instanceof OutsideError) return error;
  return new OutsideError(signal.aborted ? 'timeout' : 'unreachable', { cause: error });
}

/** Leaving the loop destroys the message, and with it the connection of an answer that goes on. */
async function readAnswer(
  message: IncomingMessage,
  { maxAnswerBytes, longer }: Pick<OutsideRequest, 'maxAnswerBytes' | 'longer'>,
): Promise<OutsideAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > maxAnswerBytes && longer === 'refuse') throw new OutsideError('answer_too_long');
    chunks.push(bytes);
    if (length > maxAnswerBytes) break;
  }
  return { status: message.statusCode ?? 0, text: Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString('utf8') };
}
