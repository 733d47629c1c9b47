import type { Caller } from '#kernel/caller.ts';
import { maskedAnswer, maskedJson } from './masked-answer.ts';
import { maskedNumber } from './phone-number.ts';

export interface ShownNumbersPart {
  /** Whether agents see whole phone numbers without `contact:reveal`. */
  agentsSeeNumbers: boolean;
}

/** Functions that mask an answer for its caller; undefined when everybody may see whole numbers. */
export interface ShownAnswers {
  shown?: ((caller: Caller, data: unknown) => unknown) | undefined;
  shownFrames?: ((caller: Caller, frames: string) => string) | undefined;
}

/** Masks numbers in REST's answers and in frames of event streams. */
export function shownAnswers(app: ShownNumbersPart): ShownAnswers {
  if (app.agentsSeeNumbers) return {};
  return {
    shown: (caller, data) => (maySeeNumbers(app, caller) ? data : maskedAnswer(data)),
    shownFrames: (caller, frames) => (maySeeNumbers(app, caller) ? frames : maskedJson(frames)),
  };
}

/**
 * Whether the caller sees phone numbers as a whole: by `contact:reveal`, or as an agent where the configuration says so. Programs and the server do.
 *
 * Source: D3.11
 */
export function maySeeNumbers(
  { agentsSeeNumbers }: ShownNumbersPart,
  { role, permissions }: Pick<Caller, 'role' | 'permissions'>,
): boolean {
  if (permissions.has('contact:reveal') || role === 'internal' || role === 'system') return true;
  return role === 'agent' && agentsSeeNumbers;
}

/** The number as the caller sees it: `***8000` without the right to see it. */
export function shownNumber(app: ShownNumbersPart, caller: Pick<Caller, 'role' | 'permissions'>, number: string): string {
  return number === '' || maySeeNumbers(app, caller) ? number : maskedNumber(number);
}
