import { z } from 'zod';
import { CALL_STATUSES } from '#protocol/call-status.ts';

/**
 * The closed list of how an attempt to reach a customer can end.
 *
 * Source: D7.13
 */
export const OUTCOMES = [
  'no_answer',
  'busy',
  'rejected',
  'power_off',
  'out_of_service',
  'invalid_number',
  'network_busy',
  'voicemail',
  'screening',
  'fax',
  'abandoned',
  'silent',
  'short',
  'completed',
  'opted_out',
  'local_failure',
  'unknown',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/**
 * Outcomes of calls that a person answered; mailboxes, fax machines and assistants are none.
 *
 * Why:    must match the partial index attempt_answered
 * Source: D8.11
 */
export const ANSWERED_BY_PERSON: readonly Outcome[] = ['abandoned', 'silent', 'short', 'completed', 'opted_out'];

/** Kinds of facts that can decide an outcome: hang-up at the switch, report of the runtime, first words heard, times of the call, our own failure. */
export const BASES = ['hang_up', 'runtime', 'words', 'times', 'own_failure', 'none'] as const;

/** Longest first words that an attempt keeps as evidence, in characters. */
export const MAX_WORDS_LENGTH = 200;

const milliseconds = z.int().nonnegative().nullable();

/**
 * Facts behind an attempt's outcome; null where a fact is not known or does not apply.
 *
 * Units: ms; `progressMs`, `mediaMs` and `answerMs` from the start of the dial, `firstAudioMs` from the answer
 */
export const evidence = z
  .object({
    basis: z
      .enum(BASES)
      .meta({ description: '判定依据：hang_up 挂断原因，runtime 话术引擎上报，words 对方最初的话，times 时长，own_failure 我方故障' }),
    cause: z.string().nullable(),
    sipStatus: z.string().nullable(),
    q850: z.int().nullable(),
    progressMs: milliseconds,
    mediaMs: milliseconds,
    ringback: z.string().nullable(),
    answerMs: milliseconds,
    firstAudioMs: milliseconds,
    reported: z.enum(CALL_STATUSES).nullable().meta({ description: '话术引擎上报的 callStatus' }),
    classification: z.string().nullable(),
    words: z.string().nullable().meta({ description: '据以判定的、对方最初的话' }),
    rule: z
      .object({ rulesId: z.int(), row: z.int().nullable(), isBudgetSpent: z.boolean() })
      .nullable()
      .meta({ description: '决定下一步的结果规则：版本行的 id，第几行（从 0 起；null 为 otherwise），是否因次数用完而结束' }),
  })
  .meta({ id: 'Evidence' });

export type Evidence = z.output<typeof evidence>;
