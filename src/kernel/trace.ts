import { AsyncLocalStorage } from 'node:async_hooks';
import { type IdSource, isUuid } from './ids.ts';

/** The number, 32 hexadecimal digits, of what began the work that is being done now. */
const traces = new AsyncLocalStorage<string>();

export function currentTrace(): string | undefined {
  return traces.getStore();
}

export function inTrace<T>(trace: string, work: () => T): T {
  return traces.run(trace, work);
}

export function newTrace(ids: IdSource): string {
  return hexOf(ids());
}

/** The trace of a request, by the number that its caller knows; any other text than a UUID fits in no traceparent. */
export function traceOf(requestId: string, ids: IdSource): string {
  return isUuid(requestId) ? hexOf(requestId) : newTrace(ids);
}

function hexOf(uuid: string): string {
  return uuid.toLowerCase().replaceAll('-', '');
}

const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;
const SPAN_DIGITS = 16;

/** What a message says of its trace; the message's own number is made anew. Source: W3C Trace Context */
export function traceparent(trace: string, ids: IdSource): string {
  return `00-${trace}-${newTrace(ids).slice(0, SPAN_DIGITS)}-01`;
}

/** Null: there is none, or none that we could go on with. */
export function parseTraceparent(text: string | undefined): string | null {
  return TRACEPARENT.exec(text ?? '')?.[1] ?? null;
}
