/** Headers in order of arrival; names are lower case and long. */
export type SipHeaders = readonly (readonly [name: string, value: string])[];

export interface SipRequest {
  kind: 'request';
  method: string;
  uri: string;
  headers: SipHeaders;
  body: string;
}

export interface SipResponse {
  kind: 'response';
  status: number;
  reason: string;
  headers: SipHeaders;
  body: string;
}

export type SipMessage = SipRequest | SipResponse;

/** Largest message, in bytes: an offer of a browser has about 3 kB. */
export const MAX_MESSAGE_BYTES = 32_768;
const MAX_HEADERS = 64;
const MAX_LINE_LENGTH = 4_096;

const REQUEST_LINE = /^([A-Z]{1,32}) (\S{1,512}) SIP\/2\.0$/;
const STATUS_LINE = /^SIP\/2\.0 ([1-6]\d{2}) (.{0,256})$/;
const HEADER_LINE = /^([A-Za-z0-9!%*_+`'~.-]{1,64})[ \t]*:[ \t]*(.*)$/;
/** Characters that no line may contain: a header must not be able to begin another. */
const CONTROLS = /[^\t\P{Cc}]/u;

/** Compact names. Source: RFC 3261 §7.3.3, RFC 4028 */
const COMPACT: Readonly<Record<string, string>> = {
  v: 'via',
  f: 'from',
  t: 'to',
  i: 'call-id',
  m: 'contact',
  c: 'content-type',
  l: 'content-length',
  k: 'supported',
  e: 'content-encoding',
  s: 'subject',
  x: 'session-expires',
};

/**
 * Parses one message of a WebSocket, which delivers whole messages; null when it is not one.
 *
 * Why:    whatever a browser sends is untrusted: a message beyond the bounds, with a control character or without a mandatory header is dropped
 * Source: RFC 3261 §7, §25; RFC 7118 §5
 */
export function parseSip(text: string): SipMessage | null {
  if (Buffer.byteLength(text) > MAX_MESSAGE_BYTES) return null;
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [first = '', ...lines] = unfold(text.slice(0, end)).split('\r\n');
  const headers = parseHeaders(lines);
  if (headers === null || CONTROLS.test(first) || !hasMandatory(headers)) return null;
  const body = bodyOf(text.slice(end + 4), headers);
  return body === null ? null : firstLine(first, headers, body);
}

/** A line that begins with a blank continues the one before. */
function unfold(head: string): string {
  return head.replaceAll(/\r\n[ \t]+/g, ' ');
}

function parseHeaders(lines: readonly string[]): SipHeaders | null {
  if (lines.length > MAX_HEADERS) return null;
  const headers = lines.map(parseHeader);
  return headers.every(header => header !== null) ? headers : null;
}

function parseHeader(line: string): readonly [string, string] | null {
  const [, name, value = ''] = line.length > MAX_LINE_LENGTH || CONTROLS.test(line) ? [] : (HEADER_LINE.exec(line) ?? []);
  if (name === undefined) return null;
  const long = name.toLowerCase();
  return [Object.hasOwn(COMPACT, long) ? (COMPACT[long] ?? long) : long, value.trim()];
}

const MANDATORY = ['via', 'from', 'to', 'call-id', 'cseq'];

function hasMandatory(headers: SipHeaders): boolean {
  return MANDATORY.every(wanted => headers.some(([name, value]) => name === wanted && value !== ''));
}

/** A message ends with its frame, so a length is optional; one that contradicts the frame makes the message invalid. */
function bodyOf(rest: string, headers: SipHeaders): string | null {
  const told = headers.find(([name]) => name === 'content-length')?.[1];
  return told === undefined || told === String(Buffer.byteLength(rest)) ? rest : null;
}

function firstLine(line: string, headers: SipHeaders, body: string): SipMessage | null {
  const [, method, uri] = REQUEST_LINE.exec(line) ?? [];
  if (method !== undefined && uri !== undefined) return { kind: 'request', method, uri, headers, body };
  const [, status, reason = ''] = STATUS_LINE.exec(line) ?? [];
  return status === undefined ? null : { kind: 'response', status: Number(status), reason, headers, body };
}

export function headerOf({ headers }: Pick<SipMessage, 'headers'>, name: string): string {
  return headers.find(([known]) => known === name)?.[1] ?? '';
}

export function headersNamed({ headers }: Pick<SipMessage, 'headers'>, name: string): string[] {
  return headers.flatMap(([known, value]) => (known === name ? [value] : []));
}

/** Serializes a message; a line break within a value becomes a blank, so that no value can begin a header of its own. */
export function formatSip(message: SipMessage): string {
  const first = message.kind === 'request' ? `${message.method} ${message.uri} SIP/2.0` : `SIP/2.0 ${message.status} ${message.reason}`;
  const lines = message.headers.map(([name, value]) => `${titled(name)}: ${value}`);
  const head = [first, ...lines, `Content-Length: ${Buffer.byteLength(message.body)}`].map(line => line.replaceAll(/\p{Cc}+/gu, ' '));
  return `${head.join('\r\n')}\r\n\r\n${message.body}`;
}

const SPECIAL: Readonly<Record<string, string>> = { 'call-id': 'Call-ID', cseq: 'CSeq', 'www-authenticate': 'WWW-Authenticate' };

function titled(name: string): string {
  return SPECIAL[name] ?? name.replaceAll(/(^|-)[a-z]/g, letter => letter.toUpperCase());
}

/** Reason phrases of the statuses that the switch sends. */
const REASONS: Readonly<Record<number, string>> = {
  100: 'Trying',
  180: 'Ringing',
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  481: 'Call/Transaction Does Not Exist',
  486: 'Busy Here',
  487: 'Request Terminated',
  488: 'Not Acceptable Here',
  491: 'Request Pending',
  500: 'Server Internal Error',
  503: 'Service Unavailable',
  603: 'Decline',
};

export interface ResponseParts {
  /** Tag of our side, added to a To without one. */
  tag?: string;
  headers?: SipHeaders;
  body?: string;
}

/** Builds the response to a request, with the headers that RFC 3261 §8.2.6 has it repeat. */
export function respondTo(request: SipRequest, status: number, { tag, headers = [], body = '' }: ResponseParts = {}): SipResponse {
  const repeated = request.headers.filter(([name]) => ['via', 'from', 'to', 'call-id', 'cseq'].includes(name));
  const tagged = repeated.map(([name, value]) => [name, name === 'to' && tag !== undefined ? withTag(value, tag) : value] as const);
  return { kind: 'response', status, reason: REASONS[status] ?? 'Unknown', headers: [...tagged, ...headers], body };
}

function withTag(to: string, tag: string): string {
  return tagOf(to) === null ? `${to};tag=${tag}` : to;
}

const TAG = /;\s*tag=([^\s;,>]{1,128})/i;

/** Tag of a From or To; null when there is none. */
export function tagOf(value: string): string | null {
  return TAG.exec(value.slice(value.indexOf('>') + 1))?.[1] ?? null;
}

const ADDRESS = /<(sips?:[^<>\s]{1,400})>|^\s*(sips?:[^<>\s;]{1,400})/i;

/** URI in a From, To or Contact; null when there is none. */
export function uriOf(value: string): string | null {
  const [, bracketed, bare] = ADDRESS.exec(value) ?? [];
  return bracketed ?? bare ?? null;
}

const URI = /^sips?:(?:([^@:;?\s]{1,128})(?::[^@]*)?@)?([^:;?\s]{1,253})/i;

/** User and host of a URI; empty where it has none. */
export function partsOfUri(uri: string): { user: string; host: string } {
  const [, user = '', host = ''] = URI.exec(uri) ?? [];
  return { user: unescaped(user), host: host.toLowerCase() };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone percent sign
  }
}

/** Number and method of a CSeq; the number is -1 when it is malformed. */
export function sequenceOf(message: Pick<SipMessage, 'headers'>): { number: number; method: string } {
  const [, number = '-1', method = ''] = /^(\d{1,10})\s+([A-Z]{1,32})$/.exec(headerOf(message, 'cseq')) ?? [];
  return { number: Number(number), method };
}

/** Branch of the topmost Via, which identifies the transaction. */
export function branchOf(message: Pick<SipMessage, 'headers'>): string {
  return /;\s*branch=([^\s;,]{1,128})/i.exec(headerOf(message, 'via'))?.[1] ?? '';
}
