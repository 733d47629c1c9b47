import type { Dice } from './dice.ts';

/** How a runtime treats the customers that it is given. All but the first lie, fall silent or only listen. */
export const CONDUCTS = ['honest', 'deaf', 'busy', 'slow', 'mute', 'wrong_epoch'] as const;
export type Conduct = (typeof CONDUCTS)[number];

/** Of all runs: some runtimes are not honest. */
const UNFAITHFUL_SHARE = 0.4;
/** Answers so late that nobody waits for it, ms. */
export const SLOW_MS = 20_000;

/** Of each runtime of a run. One that has not registered is honest or only listens. */
export function drawConducts(dice: Dice, count: number, isOlder: boolean): Conduct[] {
  const isFaithful = !dice.chance(UNFAITHFUL_SHARE);
  return Array.from({ length: count }, () => {
    const drawn = isOlder ? dice.pick(['honest', 'deaf'] as const) : dice.pick(CONDUCTS);
    return isFaithful ? 'honest' : drawn;
  });
}
