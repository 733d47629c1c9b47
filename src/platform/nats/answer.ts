import { isCalloutError } from '#kernel/errors.ts';
import type { Log } from '#kernel/log.ts';
import type { BusMessage } from './bus.ts';

/** Answer to a request over the bus. */
export type BusAnswer = { ok: true; data: unknown } | { ok: false; code: string; msg: string };

/** Answers one request with the result of `work`, or with its failure. */
export async function answerRequest(log: Log, message: BusMessage, work: (message: BusMessage) => Promise<unknown>): Promise<void> {
  const answer = await work(message).then(
    (data): BusAnswer => ({ ok: true, data: data ?? null }),
    (error: unknown) => failure(log, message.subject, error),
  );
  try {
    message.respond?.(answer);
  } catch (error) {
    // An answer that the bus cannot carry is replaced by this failure, which it can.
    message.respond?.(failure(log, message.subject, error));
  }
}

function failure(log: Log, subject: string, error: unknown): BusAnswer {
  if (isCalloutError(error)) return { ok: false, code: error.code, msg: error.message };
  log.error({ err: error, subject }, 'a request over the bus failed');
  return { ok: false, code: 'INTERNAL', msg: '服务器内部错误' };
}
