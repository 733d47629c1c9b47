import { type GraphQLSchema, isEnumType } from 'graphql';
import type { CalloutError, InputFault } from '#kernel/errors.ts';
import { type Language, wordsOf } from '#kernel/problem.ts';

/** Most characters of a header or connection parameter that are parsed. */
const MAX_ACCEPTED_LENGTH = 200;

/**
 * Language for a client's messages, by its `Accept-Language`: Chinese unless English is preferred.
 *
 * Source: RFC 9110 12.5.4
 */
export function languageOf(accepted: unknown): Language {
  if (typeof accepted !== 'string') return 'zh';
  const ranges = accepted.slice(0, MAX_ACCEPTED_LENGTH).toLowerCase().split(',').map(rangeOf);
  const [first] = ranges.filter(({ of, weight }) => (of === 'zh' || of === 'en') && weight > 0).sort((a, b) => b.weight - a.weight);
  return first?.of === 'en' ? 'en' : 'zh';
}

function rangeOf(text: string): { of: string; weight: number } {
  const [, of = '', weight = '1'] = /^\s*([a-z]+)(?:-[\w-]*)?\s*(?:;\s*q=([\d.]+))?\s*$/.exec(text) ?? [];
  return { of, weight: Number(weight) };
}

/** A failure that an edge presents; its own message is Chinese. */
type Failure = Pick<CalloutError, 'message' | 'reason' | 'field' | 'faults'> & { code: string };

/** Message in the language of the client. */
export function messageOf(failure: Failure, language: Language, schema: GraphQLSchema): string {
  return language === 'zh' ? failure.message : englishOf(schema, failure);
}

/** English message: the faults of an argument or else the schema's description of the cause. Unlike the Chinese one it names no rows. */
function englishOf(schema: GraphQLSchema, { code, reason, faults }: Failure): string {
  if (faults.length > 0) return `${faults.map(({ field, problem }) => `${field} ${wordsOf(problem, 'en')}`).join('; ')}.`;
  return descriptionOf(schema, 'RefusalReason', reason ?? code) ?? descriptionOf(schema, 'ErrorCode', code) ?? code;
}

/** A fault as the schema has it. */
export interface PresentedFault {
  field: string;
  problem: string;
}

/** Faults of an input in the language of the client. */
export function presentFaults(faults: readonly InputFault[], language: Language): PresentedFault[] {
  return faults.map(({ field, problem }) => ({ field, problem: wordsOf(problem, language) }));
}

/** Faults beside a message that tells a single one already. */
export function severalFaults(faults: readonly InputFault[], language: Language): PresentedFault[] {
  return faults.length > 1 ? presentFaults(faults, language) : [];
}

function descriptionOf(schema: GraphQLSchema, name: string, value: string): string | null {
  const type = schema.getType(name);
  return (isEnumType(type) && type.getValue(value)?.description) || null;
}
