import { type GraphQLSchema, isEnumType } from 'graphql';
import { type InputFault, invalidArgument } from '#kernel/errors.ts';
import { problemInEnglish } from './problems-in-english.ts';

/** Of the texts that people read. */
export type Language = 'zh' | 'en';

/** Headers and connection parameters are read this far, characters. */
const MAX_ACCEPTED_LENGTH = 200;

/**
 * What a client is told in, by its `Accept-Language`: Chinese unless English is preferred.
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

/** What the schema says of the cause, of an argument what is wrong with it: English names no rows. */
export function englishOf(schema: GraphQLSchema, { code, reason, field, message = '', faults = [] }: Failure): string {
  if (code === 'INVALID_ARGUMENT' && field !== undefined) {
    const told = faults.length > 0 ? faults : [{ field, problem: message.slice(invalidArgument(field, '').message.length) }];
    return `${faultsIn('en', told)
      .map(fault => `${fault.field} ${fault.problem}`)
      .join('; ')}.`;
  }
  return saidOf(schema, 'RefusalReason', reason ?? code) ?? saidOf(schema, 'ErrorCode', code) ?? code;
}

/** The faults of an input as they are told. */
export function faultsIn(language: Language, faults: readonly InputFault[]): readonly InputFault[] {
  return language === 'zh' ? faults : faults.map(({ field, problem }) => ({ field, problem: problemInEnglish(problem) }));
}

function saidOf(schema: GraphQLSchema, name: string, value: string): string | null {
  const type = schema.getType(name);
  return (isEnumType(type) && type.getValue(value)?.description) || null;
}
