/**
 * The Event Socket protocol: decodes frames and events, encodes commands. Pure.
 *
 * Source: test/fixtures/esl/README.md §1, §7.6, §7.7
 */

/** A frame: header lines, a blank line, then exactly Content-Length bytes. */
export interface EslFrame {
  /** `Content-Type`, or an empty string. */
  contentType: string;
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}

/** A list for an `ARRAY::` value. */
type HeaderValue = string | readonly string[];

/** Headers of an event, under the names that the switch uses. */
export interface EventHeaders extends Iterable<readonly [name: string, value: HeaderValue]> {
  get(name: string): HeaderValue | undefined;
}

/** A decoded event. */
export interface EslEvent {
  name: string;
  headers: EventHeaders;
  /** Body of the event itself, such as the result of a background job. */
  body: string;
}

export interface FrameLimits {
  /** Limit of the header block, bytes. */
  maxHeaderBytes: number;
  /** Limit of a body, bytes. */
  maxBodyBytes: number;
}

/** A list of 900 channels is 763 kB of JSON; the header block of a frame is under 300 bytes. */
export const FRAME_LIMITS: FrameLimits = { maxHeaderBytes: 65_536, maxBodyBytes: 33_554_432 };

/** The peer violates the protocol or exceeds a limit: the connection cannot be used any further. */
export class EslProtocolError extends Error {
  override readonly name = 'EslProtocolError';
}

/** A value contains a line break and could start another command. */
export class EslUnsafeCommandError extends Error {
  override readonly name = 'EslUnsafeCommandError';
}

const NEWLINE = 0x0a;
const HEADER_END = Buffer.from('\n\n');
const NO_BYTES = Buffer.alloc(0);

/**
 * Splits a byte stream into frames, independent of chunk boundaries.
 *
 * Why:    Content-Length counts bytes, not characters; the chunks of a body are joined only once, when complete
 * Errors: EslProtocolError when a limit is exceeded or Content-Length is not a number
 */
export class FrameDecoder {
  readonly #limits: FrameLimits;
  #head: Buffer = NO_BYTES;
  #frame: { headers: ReadonlyMap<string, string>; bodyBytes: number } | null = null;
  #body: Buffer[] = [];
  #bodyBytes = 0;

  constructor(limits: FrameLimits = FRAME_LIMITS) {
    this.#limits = limits;
  }

  push(chunk: Buffer): EslFrame[] {
    const frames: EslFrame[] = [];
    let rest: Buffer | null = chunk;
    while (rest !== null) rest = this.#frame ? this.#takeBody(rest, this.#frame, frames) : this.#takeHead(rest);
    return frames;
  }

  /** Bytes of an incomplete frame. */
  get pendingBytes(): number {
    return this.#head.length + this.#bodyBytes;
  }

  #takeHead(chunk: Buffer): Buffer | null {
    const joined = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const head = skipBlankLines(joined);
    const end = head.indexOf(HEADER_END);
    if ((end === -1 ? head.length : end) > this.#limits.maxHeaderBytes) throw new EslProtocolError('header block too long');
    if (end === -1) {
      this.#head = head;
      return null;
    }
    this.#head = NO_BYTES;
    const headers = parseHeaderLines(head.toString('utf8', 0, end));
    this.#frame = { headers, bodyBytes: bodyLength(headers, this.#limits.maxBodyBytes) };
    return head.subarray(end + HEADER_END.length);
  }

  #takeBody(chunk: Buffer, frame: { headers: ReadonlyMap<string, string>; bodyBytes: number }, frames: EslFrame[]): Buffer | null {
    const missing = frame.bodyBytes - this.#bodyBytes;
    if (chunk.length < missing) {
      if (chunk.length > 0) this.#body.push(chunk);
      this.#bodyBytes += chunk.length;
      return null;
    }
    this.#body.push(chunk.subarray(0, missing));
    const body = this.#body.length === 1 ? (this.#body[0] ?? NO_BYTES) : Buffer.concat(this.#body, frame.bodyBytes);
    frames.push({ contentType: frame.headers.get('Content-Type') ?? '', headers: frame.headers, body });
    this.#frame = null;
    this.#body = [];
    this.#bodyBytes = 0;
    return chunk.length > missing ? chunk.subarray(missing) : null;
  }
}

function skipBlankLines(buffer: Buffer): Buffer {
  let start = 0;
  while (buffer[start] === NEWLINE) start += 1;
  return start === 0 ? buffer : buffer.subarray(start);
}

function bodyLength(headers: ReadonlyMap<string, string>, max: number): number {
  const text = headers.get('Content-Length');
  if (text === undefined) return 0;
  if (!/^\d{1,15}$/.test(text)) throw new EslProtocolError('Content-Length is not a number');
  const bytes = Number(text);
  if (bytes > max) throw new EslProtocolError('body too long');
  return bytes;
}

/** Parses `Name: value` lines; the value may contain colons. The first of a repeated name wins (Hangup-Cause appears twice). */
function parseHeaderLines(block: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon);
    if (!headers.has(name)) headers.set(name, valueAfter(line, colon));
  }
  return headers;
}

/** The part of a line after its colon. */
function valueAfter(line: string, colon: number): string {
  return line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1, line.endsWith('\r') ? -1 : undefined);
}

/**
 * Decodes the event in a `text/event-plain` or `text/event-json` frame; null for any other frame or invalid JSON.
 *
 * Why: invalid UTF-8 (GBK names) becomes U+FFFD instead of ending the connection
 */
export function decodeEvent({ contentType, body }: EslFrame): EslEvent | null {
  if (contentType === 'text/event-plain') return decodePlainEvent(body);
  if (contentType === 'text/event-json') return decodeJsonEvent(body);
  return null;
}

function decodePlainEvent(payload: Buffer): EslEvent {
  const end = payload.indexOf(HEADER_END);
  const headers = new PlainHeaders(payload.toString('utf8', 0, end === -1 ? payload.length : end));
  const rest = end === -1 ? NO_BYTES : payload.subarray(end + HEADER_END.length);
  const inner = rest.length === 0 ? 0 : Number(textOf(headers.get('Content-Length')) || 0);
  return { name: textOf(headers.get('Event-Name')), headers, body: rest.toString('utf8', 0, Math.min(inner, rest.length)) };
}

/**
 * Decodes headers lazily, on access.
 *
 * Why: a channel event has some 200 headers, of which about ten are read; those that every event has are in its first lines
 */
class PlainHeaders implements EventHeaders {
  readonly #block: string;

  constructor(block: string) {
    this.#block = block;
  }

  get(name: string): HeaderValue | undefined {
    const isFirst = this.#block.startsWith(`${name}:`);
    const at = isFirst ? 0 : this.#block.indexOf(`\n${name}:`) + 1;
    if (at === 0 && !isFirst) return undefined;
    const end = this.#block.indexOf('\n', at);
    return toValue(decodeUrl(valueAfter(this.#block.slice(at, end === -1 ? undefined : end), name.length)));
  }

  *[Symbol.iterator](): Generator<readonly [string, HeaderValue]> {
    for (const [name, value] of parseHeaderLines(this.#block)) yield [name, toValue(decodeUrl(value))];
  }
}

function decodeJsonEvent(payload: Buffer): EslEvent | null {
  const json = parseJson(payload.toString('utf8'));
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
  const headers = new Map<string, HeaderValue>();
  for (const [name, value] of Object.entries(json)) {
    if (name !== '_body') headers.set(name, Array.isArray(value) ? value.map(String) : String(value));
  }
  const body: unknown = '_body' in json ? json._body : '';
  return { name: textOf(headers.get('Event-Name')), headers, body: String(body) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the caller treats it as "no event"; one undecodable event must not end the connection
  }
}

/** The text itself, the first element of a list, or an empty string. */
function textOf(value: HeaderValue | undefined): string {
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}

/** The header's text: a list is joined by commas; null when absent. */
export function header(event: EslEvent, name: string): string | null {
  const value = event.headers.get(name);
  if (value === undefined) return null;
  return typeof value === 'string' ? value : value.join(',');
}

const ARRAY_PREFIX = 'ARRAY::';
const ARRAY_SEPARATOR = '|:';

function toValue(text: string): HeaderValue {
  return text.startsWith(ARRAY_PREFIX) ? text.slice(ARRAY_PREFIX.length).split(ARRAY_SEPARATOR) : text;
}

/** Percent-decoding that never throws: invalid UTF-8 becomes U+FFFD, a lone `%` remains. */
export function decodeUrl(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    const bytes = Buffer.from(text, 'utf8').toString('latin1');
    const raw = bytes.replace(/%([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(raw, 'latin1').toString('utf8');
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
const LINE_BREAKERS = /[\r\n\0]/;

/**
 * Encodes a command with its headers, to be written in one piece.
 *
 * Why:    a newline would add a header, two would end the command and start another
 * Errors: EslUnsafeCommandError when the line, a header name or a value contains CR, LF or NUL
 */
export function encodeCommand(line: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const lines = [line, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  if (lines.some(text => LINE_BREAKERS.test(text))) throw new EslUnsafeCommandError('command holds a line break');
  return Buffer.from(`${lines.join('\n')}\n\n`, 'utf8');
}
