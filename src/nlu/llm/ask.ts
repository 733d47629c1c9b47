import { type Clock, sleep } from '#kernel/clock.ts';
import { type CalloutError, isCalloutError } from '#kernel/errors.ts';
import type { Log } from '#kernel/log.ts';
import { answerObject } from './answer-object.ts';
import { type AnswerFormat, askModel, ChatFailure, type ChatQuestion } from './chat-client.ts';
import { createBreaker } from './breaker.ts';
import { modelFailed, modelTimedOut } from './failures.ts';
import { places } from './places.ts';
import { type LlmSettings, MAX_RETRIES, RETRY_PAUSE_MS } from './settings.ts';

export interface AskerParts {
  settings: LlmSettings;
  clock: Clock;
  log: Log;
}

/** Parses a model's answer; throws a CalloutError when it does not match the question. */
export type ReadAnswer<Answer> = (answer: Record<string, unknown>) => Answer;

/**
 * Sends a question to the model.
 *
 * Errors: DOWNSTREAM_TIMEOUT after the deadline; DOWNSTREAM_INVALID when the model failed or its answer does not match the question; RATE_LIMITED
 */
export type Ask = <Answer>(question: ChatQuestion, read: ReadAnswer<Answer>) => Promise<Answer>;

const FORMATS: readonly AnswerFormat[] = ['json_schema', 'json_object', 'text'];

/** Combines deadline, breaker, concurrency limit, format fall-back and the single retry. */
export function modelAsker({ settings, clock, log }: AskerParts): Ask {
  const breaker = createBreaker(clock);
  const room = places(settings.maxConcurrent);
  let format = 0;
  const once = async <Answer>(question: ChatQuestion, read: ReadAnswer<Answer>, signal: AbortSignal): Promise<Answer> => {
    for (;;) {
      const tried = format;
      try {
        const text = await askModel(settings, question, { format: FORMATS[tried] ?? 'text', signal });
        return readText(text, read);
      } catch (error) {
        if (!(error instanceof ChatFailure) || error.kind !== 'unsupported' || tried >= FORMATS.length - 1) throw error;
        // An endpoint that does not support a format will not support it later: the simpler format is kept.
        format = Math.max(format, tried + 1);
      }
    }
  };
  const persistently = async <Answer>(question: ChatQuestion, read: ReadAnswer<Answer>, signal: AbortSignal): Promise<Answer> => {
    for (let retries = 0; ; retries += 1) {
      try {
        return await once(question, read, signal);
      } catch (error) {
        if (retries >= MAX_RETRIES || signal.aborted || !isRetryable(error)) throw error;
        await sleep(clock, RETRY_PAUSE_MS, signal);
      }
    }
  };
  return async (question, read) => {
    const outcome = await breaker.run(() =>
      withinDeadline(clock, settings.timeoutMs, log, signal => room.run(signal, () => answered(persistently(question, read, signal)))),
    );
    if (outcome.refused !== null) throw outcome.refused;
    return outcome.answer;
  };
}

type Outcome<Answer> = { answer: Answer; refused: null } | { refused: CalloutError };

/** A mismatched answer fails this question, but shows that the model is up: it must not open the breaker. */
async function answered<Answer>(asked: Promise<Answer>): Promise<Outcome<Answer>> {
  try {
    return { answer: await asked, refused: null };
  } catch (error) {
    if (!isCalloutError(error, 'DOWNSTREAM_INVALID')) throw error;
    return { refused: error };
  }
}

function readText<Answer>(text: string, read: ReadAnswer<Answer>): Answer {
  const answer = answerObject(text);
  if (!answer) throw modelFailed('的回答不是 JSON');
  return read(answer);
}

/** A second attempt may succeed, also after a mismatched answer. */
function isRetryable(error: unknown): boolean {
  return error instanceof ChatFailure ? error.kind === 'retryable' : isCalloutError(error, 'DOWNSTREAM_INVALID');
}

async function withinDeadline<Answer>(clock: Clock, ms: number, log: Log, work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const abort = new AbortController();
  const cancel = clock.schedule(ms, () => abort.abort());
  try {
    return await work(abort.signal);
  } catch (error) {
    if (abort.signal.aborted) throw modelTimedOut();
    if (isCalloutError(error)) throw error;
    log.warn({ err: error }, 'the model failed');
    throw modelFailed('调用失败', error);
  } finally {
    cancel();
  }
}
