import type { JsonValue } from '#kernel/json.ts';
import { maskedNumber } from './phone-number.ts';

/** Members of answers that hold the number of a customer. */
export const NUMBER_MEMBERS: ReadonlySet<string> = new Set(['phoneNumber', 'targetNumber']);
/** Shorter numbers stay readable: they are extensions or short codes, which identify no person. In characters. */
const MIN_LENGTH = 7;

/** The number as somebody reads it who may not see it as a whole. */
export function hiddenNumber(number: string): string {
  return number.length < MIN_LENGTH ? number : maskedNumber(number);
}

/** An answer with the numbers of customers masked, at any depth. Texts that people wrote stay as they are. */
export function maskedAnswer(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(maskedAnswer);
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, maskedMember(name, value)]));
}

function maskedMember(name: string, value: unknown): unknown {
  return typeof value === 'string' && NUMBER_MEMBERS.has(name) ? hiddenNumber(value) : maskedAnswer(value);
}

/** Values by their keys, with the numbers under some keys masked. */
export function maskedValues<Value>(values: Readonly<Record<string, Value>>, keys: ReadonlySet<string>): Record<string, Value | string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, typeof value === 'string' && keys.has(key) ? hiddenNumber(value) : value]),
  );
}

/** JSON that others have made, with the numbers under some names masked, at any depth. */
export function maskedMembers(value: JsonValue, names: ReadonlySet<string>): JsonValue {
  if (typeof value !== 'object' || value === null || names.size === 0) return value;
  if (Array.isArray(value)) return value.map(item => maskedMembers(item, names));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isHidden = typeof member === 'string' && names.has(name);
      return [name, isHidden ? hiddenNumber(member) : maskedMembers(member, names)];
    }),
  );
}

/** A member and its number in JSON text; a number has nothing that JSON escapes. */
const IN_JSON = new RegExp(`"(${[...NUMBER_MEMBERS].join('|')})":"([^"\\\\]*)"`, 'g');

/** Like `maskedAnswer`, for JSON that was written once for many readers. */
export function maskedJson(text: string): string {
  return text.replaceAll(IN_JSON, (_whole, name: string, number: string) => `"${name}":"${hiddenNumber(number)}"`);
}
