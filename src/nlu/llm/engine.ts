import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { Random } from '#kernel/random.ts';
import type { NluEngine } from '../engine.ts';
import { modelAsker } from './ask.ts';
import { decisionQuestion } from './decision-question.ts';
import { extractQuestion } from './extract-question.ts';
import type { LlmSettings } from './settings.ts';

export interface LlmEngineParts {
  settings: LlmSettings;
  clock: Clock;
  random: Random;
  timeZone: string;
  log: Log;
}

/**
 * The engine that queries an OpenAI-compatible model.
 *
 * Errors: DOWNSTREAM_TIMEOUT, DOWNSTREAM_INVALID, RATE_LIMITED
 * Source: D13.1, D13.8
 */
export function llmEngine({ settings, clock, random, timeZone, log }: LlmEngineParts): NluEngine {
  const ask = modelAsker({ settings, clock, log });
  return {
    decide({ text, branches }) {
      const { question, read } = decisionQuestion(text, branches, random);
      return ask(question, read);
    },
    extract({ text, fields }) {
      const { question, read } = extractQuestion(text, fields, { now: clock.now(), timeZone });
      return ask(question, read);
    },
  };
}
