import type { Dice } from './dice.ts';

/** How a runtime treats its calls. All conducts but the first misreport, stay silent or do not reply. */
export const CONDUCTS = ['honest', 'deaf', 'busy', 'slow', 'mute', 'wrong_epoch'] as const;
export type Conduct = (typeof CONDUCTS)[number];

/** Share of runs with runtimes that misbehave. */
const UNFAITHFUL_SHARE = 0.4;
/** Delay of a reply that comes too late for any server, ms. */
export const SLOW_MS = 20_000;

/** Draws a conduct for each runtime of a run. An unregistered one is honest or does not reply. */
export function drawConducts(dice: Dice, count: number, isOlder: boolean): Conduct[] {
  const isFaithful = !dice.chance(UNFAITHFUL_SHARE);
  return Array.from({ length: count }, () => {
    const drawn = isOlder ? dice.pick(['honest', 'deaf'] as const) : dice.pick(CONDUCTS);
    return isFaithful ? 'honest' : drawn;
  });
}
