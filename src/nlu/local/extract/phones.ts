import type { DigitRun } from './digit-runs.ts';

const MOBILE = /^1[3-9]\d{9}$/;
const LANDLINE = /^0\d{9,11}$/;
const SERVICE = /^(?:[48]00\d{7}|9[56]\d{3,6}|1[012]\d{3}|1[12]\d)$/;
const LOCAL = /^[2-8]\d{6,7}$/;
const COUNTRY = /^(?:00)?86(?=1[3-9]\d{9}$)/;

/** A phone number with the confidence of the reading. */
export interface FoundPhone {
  number: string;
  run: DigitRun;
  confidence: number;
}

/** Kinds of numbers, the most reliable first. */
const KINDS: readonly { pattern: RegExp; confidence: number }[] = [
  { pattern: MOBILE, confidence: 0.97 },
  { pattern: LANDLINE, confidence: 0.93 },
  { pattern: SERVICE, confidence: 0.85 },
  { pattern: LOCAL, confidence: 0.75 },
];

/** Returns every phone number among the digit runs that is not denied, in order. */
export function findPhones(runs: readonly DigitRun[]): FoundPhone[] {
  return runs.flatMap(run => {
    if (run.denied) return [];
    const number = run.digits.replace(COUNTRY, '');
    const kind = KINDS.find(({ pattern }) => pattern.test(number));
    return kind ? [{ number, run, confidence: kind.confidence }] : [];
  });
}

/** Returns the phone number that the rules choose: a mobile number before a landline, the first among equals. */
export function firstPhone(phones: readonly FoundPhone[]): FoundPhone | null {
  return phones.reduce<FoundPhone | null>((best, phone) => (best === null || phone.confidence > best.confidence ? phone : best), null);
}
