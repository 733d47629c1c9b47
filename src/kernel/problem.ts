import { assert } from './assert.ts';
import { PROBLEM_WORDS } from './problem-words.ts';

/** Language of texts for users. */
export type Language = keyof (typeof PROBLEM_WORDS)[ProblemCode];
export type ProblemCode = keyof typeof PROBLEM_WORDS;

/** A list is joined as its language does. */
type Parameter = string | number | readonly string[];

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type NamesOf<Code extends ProblemCode> = NamesIn<(typeof PROBLEM_WORDS)[Code][Language]>;
/** Parameters that the words of a code need, in either language. */
export type ParametersOf<Code extends ProblemCode> = [NamesOf<Code>] extends [never]
  ? []
  : [parameters: Readonly<Record<NamesOf<Code>, Parameter>>];

/** A problem of a value, before it is put into words. */
export interface Problem {
  code: ProblemCode;
  parameters: Readonly<Record<string, Parameter>>;
}

export function problem<Code extends ProblemCode>(code: Code, ...parameters: ParametersOf<Code>): Problem {
  return { code, parameters: parameters[0] ?? {} };
}

const SEPARATORS: Readonly<Record<Language, string>> = { zh: '、', en: ', ' };

/** The problem in words that follow the name of the value, `不能为空`, `must not be empty`. */
export function wordsOf({ code, parameters }: Problem, language: Language): string {
  return PROBLEM_WORDS[code][language].replace(/\{(\w+)\}/g, (_, name: string) => shown(parameters[name] ?? '', language));
}

function shown(value: Parameter, language: Language): string {
  return typeof value === 'object' ? value.join(SEPARATORS[language]) : String(value);
}

/**
 * The message by which a check of a schema names its problem; `problemOf` reads it.
 *
 * Why: a schema's issue carries nothing but a text
 */
export function issue<Code extends ProblemCode>(code: Code, ...parameters: ParametersOf<Code>): string {
  return JSON.stringify(problem(code, ...parameters));
}

/** The problem that `issue` wrote. */
export function problemOf(message: string): Problem {
  const read: unknown = message.startsWith('{') ? JSON.parse(message) : null;
  assert(isProblem(read), `a schema names no problem of the catalogue: ${message}`);
  return read;
}

function isProblem(read: unknown): read is Problem {
  return (
    typeof read === 'object' && read !== null && 'code' in read && typeof read.code === 'string' && Object.hasOwn(PROBLEM_WORDS, read.code)
  );
}
