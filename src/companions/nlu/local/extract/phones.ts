import type { DigitRun } from './digit-runs.ts';

const MOBILE = /^1[3-9]\d{9}$/;
const LANDLINE = /^0\d{9,11}$/;
const SERVICE = /^(?:[48]00\d{7}|9[56]\d{3,6}|1[012]\d{3}|1[12]\d)$/;
const LOCAL = /^[2-8]\d{6,7}$/;
const COUNTRY = /^(?:00)?86(?=1[3-9]\d{9}$)/;

/** A phone number with how sure the reading is. */
export interface FoundPhone {
  number: string;
  run: DigitRun;
  confidence: number;
}

/** Kinds of number, the most telling first. */
const KINDS: readonly { pattern: RegExp; confidence: number }[] = [
  { pattern: MOBILE, confidence: 0.97 },
  { pattern: LANDLINE, confidence: 0.93 },
  { pattern: SERVICE, confidence: 0.85 },
  { pattern: LOCAL, confidence: 0.75 },
];

/** The phone number among the digit runs: a mobile number before a landline, of equals the first not denied. */
export function findPhone(runs: readonly DigitRun[]): FoundPhone | null {
  const spoken = runs.filter(run => !run.denied).map(run => ({ run, number: run.digits.replace(COUNTRY, '') }));
  for (const { pattern, confidence } of KINDS) {
    const found = spoken.find(({ number }) => pattern.test(number));
    if (found) return { ...found, confidence };
  }
  return null;
}
