/**
 * The Event Socket wire: frames in, events decoded, commands out. Pure.
 *
 * Source: test/fixtures/esl/README.md §1, §7.6, §7.7
 */

/** One frame: header lines, a blank line, then exactly Content-Length bytes. */
export interface EslFrame {
  /** `Content-Type`, or an empty string. */
  contentType: string;
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}

/** An `ARRAY::` value is a list. */
type HeaderValue = string | readonly string[];

/** Headers of an event, by their names as the switch writes them. */
export interface EventHeaders extends Iterable<readonly [name: string, value: HeaderValue]> {
  get(name: string): HeaderValue | undefined;
}

/** A decoded event. */
export interface EslEvent {
  name: string;
  headers: EventHeaders;
  /** Body of the event itself, e.g. the result of a background job. */
  body: string;
}

export interface FrameLimits {
  /** Bytes of the header block. */
  maxHeaderBytes: number;
  /** Bytes of one body. */
  maxBodyBytes: number;
}

/** 900 channels are 763 kB of JSON; a header block of a frame is under 300 bytes. */
export const FRAME_LIMITS: FrameLimits = { maxHeaderBytes: 65_536, maxBodyBytes: 33_554_432 };

/** The peer does not speak the protocol, or exceeds a limit: the connection is of no more use. */
export class EslProtocolError extends Error {
  override readonly name = 'EslProtocolError';
}

/** A value would end its line and start another command. */
export class EslUnsafeCommandError extends Error {
  override readonly name = 'EslUnsafeCommandError';
}

const NEWLINE = 0x0a;
const HEADER_END = Buffer.from('\n\n');
const NO_BYTES = Buffer.alloc(0);

/**
 * Cuts a byte stream into frames, however it is split.
 *
 * Why:    Content-Length counts bytes, not characters; chunks of a body are joined once, when all are there
 * Errors: EslProtocolError when a limit is passed or Content-Length is not a number
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

  /** Bytes that wait for the rest of their frame. */
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

/** `Name: value` lines; the value may hold further colons. The first of a repeated name wins (Hangup-Cause comes twice). */
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

/** What a line holds behind its colon. */
function valueAfter(line: string, colon: number): string {
  return line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1, line.endsWith('\r') ? -1 : undefined);
}

/**
 * The event in a `text/event-plain` or `text/event-json` frame; null when the frame is neither, or its JSON is broken.
 *
 * Why: bytes that are no UTF-8 (GBK names) become U+FFFD instead of ending the connection
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
 * Reads a header when it is asked for.
 *
 * Why: a channel's event holds some 200 headers, of which about ten are read; those of every event stand in its first lines
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
    return null; // the caller gets "no event"; one undecodable event must not end the connection
  }
}

/** First element of a list, the text itself, or an empty string. */
function textOf(value: HeaderValue | undefined): string {
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}

/** The header's text; a list is joined by commas, an absent header is null. */
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

/** Percent-decoding that never throws: bytes that are no UTF-8 become U+FFFD, a lone `%` stays. */
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
 * Bytes of one command with its headers, to be written at once.
 *
 * Why:    a newline adds a header, two end the command and start another
 * Errors: EslUnsafeCommandError when the line, a header name or a value holds CR, LF or NUL
 */
export function encodeCommand(line: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const lines = [line, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  if (lines.some(text => LINE_BREAKERS.test(text))) throw new EslUnsafeCommandError('command holds a line break');
  return Buffer.from(`${lines.join('\n')}\n\n`, 'utf8');
}
