import { type GraphQLSchema, isEnumType } from 'graphql';
import { type InputFault, invalidArgument } from '#kernel/errors.ts';
import { problemInEnglish } from './problems-in-english.ts';

/** Language of texts for users. */
export type Language = 'zh' | 'en';

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

export interface Failure {
  code: string;
  reason?: string | undefined;
  field?: string | undefined;
  /** In Chinese. */
  message?: string;
  faults?: readonly InputFault[];
}

/** English message: the schema's description of the cause or, for an argument, its faults. Unlike the Chinese one it names no rows. */
export function englishOf(schema: GraphQLSchema, { code, reason, field, message = '', faults = [] }: Failure): string {
  if (code === 'INVALID_ARGUMENT' && field !== undefined) {
    const named = faults.length > 0 ? faults : [{ field, problem: message.slice(invalidArgument(field, '').message.length) }];
    return `${faultsIn('en', named)
      .map(fault => `${fault.field} ${fault.problem}`)
      .join('; ')}.`;
  }
  return descriptionOf(schema, 'RefusalReason', reason ?? code) ?? descriptionOf(schema, 'ErrorCode', code) ?? code;
}

/** Faults of an input in the language of the client. */
export function faultsIn(language: Language, faults: readonly InputFault[]): readonly InputFault[] {
  return language === 'zh' ? faults : faults.map(({ field, problem }) => ({ field, problem: problemInEnglish(problem) }));
}

function descriptionOf(schema: GraphQLSchema, name: string, value: string): string | null {
  const type = schema.getType(name);
  return (isEnumType(type) && type.getValue(value)?.description) || null;
}
