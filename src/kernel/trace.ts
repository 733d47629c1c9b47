import { AsyncLocalStorage } from 'node:async_hooks';
import { type IdSource, isUuid } from './ids.ts';

/** Id of the current trace, 32 hexadecimal digits: the request or event that started the running work. */
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

/** Uses the request id as trace id, so that the requester can find its log lines; a request id that is no UUID gets a new trace. */
export function traceOf(requestId: string, ids: IdSource): string {
  return isUuid(requestId) ? hexOf(requestId) : newTrace(ids);
}

function hexOf(uuid: string): string {
  return uuid.toLowerCase().replaceAll('-', '');
}

const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;
const SPAN_DIGITS = 16;

/** The `traceparent` header of an outgoing message, with a new span id. Source: W3C Trace Context */
export function traceparent(trace: string, ids: IdSource): string {
  return `00-${trace}-${newTrace(ids).slice(0, SPAN_DIGITS)}-01`;
}

/** Null when the header is absent or not in a format that we support. */
export function parseTraceparent(text: string | undefined): string | null {
  return TRACEPARENT.exec(text ?? '')?.[1] ?? null;
}
