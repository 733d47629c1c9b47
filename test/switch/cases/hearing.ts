import { systemClock } from '#kernel/clock.ts';
import { toneOfExtension, toneOfNumber, type PhoneLeg } from '../people.ts';
import type { SwitchRig } from '../switch-rig.ts';

/** Parties on the line, by their name in the report. */
export type Ears = Readonly<Record<string, PhoneLeg>>;
/** Names of the parties that each party hears, in the order of the ears. */
export type Hearing = Readonly<Record<string, readonly string[]>>;

/** Duration of a recording for the analysis, in ms; the result applies to its beginning. */
const LISTENING_MS = 1_500;

/**
 * Listens until every party hears exactly the wanted ones.
 *
 * Shape:  duration without the last recording. Units: ms
 * Errors: Error with what each party heard after `limitMs`
 */
export async function untilHeard(rig: Pick<SwitchRig, 'people'>, ears: Ears, wanted: Hearing, limitMs: number): Promise<number> {
  const beganAt = systemClock.monotonic();
  const tones = Object.fromEntries(Object.entries(ears).map(([name, leg]) => [name, toneOf(leg)]));
  for (;;) {
    const startedAt = systemClock.monotonic();
    const heard = await rig.people.listen(ears, tones);
    if (JSON.stringify(heard) === JSON.stringify(wanted)) return startedAt - beganAt;
    if (systemClock.monotonic() - beganAt + LISTENING_MS > limitMs) throw new Error(`heard ${textOf(heard)}, not ${textOf(wanted)}`);
  }
}

function toneOf({ to }: PhoneLeg): number {
  return to.length === 4 ? toneOfExtension(to) : toneOfNumber(to);
}

/** `agent←customer customer←agent third←nobody` */
export function textOf(hearing: Hearing): string {
  return Object.entries(hearing)
    .map(([ear, voices]) => `${ear}←${voices.join('+') || 'nobody'}`)
    .join(' ');
}
