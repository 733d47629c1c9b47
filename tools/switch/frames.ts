import { encodeValue, type Padding } from './event-padding.ts';

/** Frames as the switch writes them. Source: test/fixtures/esl/README.md §1 */

/** An event before it is encoded; `headers` in the switch's order. */
export interface OutgoingEvent {
  headers: ReadonlyArray<readonly [name: string, value: string]>;
  /** Constant headers that follow. */
  padding?: Padding;
  body?: string;
}

export const AUTH_REQUEST = 'Content-Type: auth/request\n\n';
export const GOODBYE = 'Disconnected, goodbye.\nSee you at ClueCon! http://www.cluecon.com/\n';
export const SHUTTING_DOWN = 'The system is being shut down.\n';

export function commandReply(text: string, headers: ReadonlyArray<readonly [string, string]> = []): string {
  const lines = [`Content-Type: command/reply`, `Reply-Text: ${text}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return `${lines.join('\n')}\n\n`;
}

export function apiResponse(body: string): string {
  const text = body === '' ? '-ERR no reply\n' : body;
  return `Content-Type: api/response\nContent-Length: ${Buffer.byteLength(text)}\n\n${text}`;
}

export function disconnectNotice(text: string): string {
  return `Content-Type: text/disconnect-notice\nContent-Length: ${Buffer.byteLength(text)}\n\n${text}`;
}

export function eventFrame(event: OutgoingEvent, format: 'plain' | 'json'): string {
  const payload = format === 'plain' ? plainPayload(event) : jsonPayload(event);
  return `Content-Length: ${Buffer.byteLength(payload)}\nContent-Type: text/event-${format}\n\n${payload}`;
}

function plainPayload(event: OutgoingEvent): string {
  const own = event.headers.map(([name, value]) => `${name}: ${encodeValue(value)}\n`).join('');
  const lines = own + (event.padding?.plain ?? '');
  return event.body === undefined ? `${lines}\n` : `${lines}Content-Length: ${Buffer.byteLength(event.body)}\n\n${event.body}`;
}

function jsonPayload(event: OutgoingEvent): string {
  const fields = Object.fromEntries(event.headers);
  if (event.body !== undefined)
    return JSON.stringify({ ...fields, 'Content-Length': String(Buffer.byteLength(event.body)), _body: event.body });
  const own = JSON.stringify(fields);
  return event.padding ? `${own.slice(0, -1)}${event.padding.json}}` : own;
}

/** Value of the header, or null. */
export function headerOf(event: OutgoingEvent, name: string): string | null {
  const isNamed = ([key]: readonly [string, string]) => key === name;
  return (event.headers.find(isNamed) ?? event.padding?.headers.find(isNamed))?.[1] ?? null;
}
