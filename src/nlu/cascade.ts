import { isCalloutError } from '#kernel/errors.ts';
import type { NluEngine } from './engine.ts';

/** The result of the first engine is final from this confidence on, 0..1. */
export const CASCADE_CONFIDENCE = 0.8;

interface Answer {
  confidence: number;
  reason: string;
}

/** Queries `second` only when `first` is not confident; when `second` fails, the result of `first` stays. */
export function cascadeEngine(first: NluEngine, second: NluEngine): NluEngine {
  const settle = async <Result extends Answer>(sure: Result, ask: () => Result | Promise<Result>): Promise<Result> => {
    if (sure.confidence >= CASCADE_CONFIDENCE) return sure;
    return insteadOf(ask, sure);
  };
  return {
    decide: async task => settle(await first.decide(task), () => second.decide(task)),
    extract: async task => settle(await first.extract(task), () => second.extract(task)),
  };
}

/** Uses `second` when `first` fails, and says so in the reason [D13.8]. */
export function withFallback(first: NluEngine, second: NluEngine): NluEngine {
  return {
    decide: async task => insteadOf(() => first.decide(task), await second.decide(task)),
    extract: async task => insteadOf(() => first.extract(task), await second.extract(task)),
  };
}

async function insteadOf<Result extends Answer>(ask: () => Result | Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (!isCalloutError(error)) throw error;
    return { ...otherwise, reason: `${error.message}，改用本地引擎：${otherwise.reason}` };
  }
}
