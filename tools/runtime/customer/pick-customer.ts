import type { StartCommand } from '#protocol/hand-over.ts';
import { type Random, seededRandom } from '#kernel/random.ts';
import type { Customer } from './customer.ts';
import { person } from './person.ts';
import { voicemail } from './voicemail.ts';

/** Variable with the callee that the simulated switch selected, if the switch passes it on: `person` or `voicemail`. */
const CALLEE_VARIABLE = 'callout_simulated_callee';

/** The customer of one call: the same request id and seed give the same customer. */
export function pickCustomer(offer: StartCommand, { seed, voicemailRate }: { seed: number; voicemailRate: number }): Customer {
  const random = seededRandom(hashOf(offer.requestId) ^ seed);
  const told = offer.metadata[CALLEE_VARIABLE] ?? offer.variables[CALLEE_VARIABLE];
  return isVoicemail(told, voicemailRate, random) ? voicemail(random) : person(random);
}

function isVoicemail(told: unknown, rate: number, random: Random): boolean {
  if (told === 'person' || told === 'voicemail') return told === 'voicemail';
  return random.next() < rate;
}

/** FNV-1a: ids differ in few characters, but seeds must differ in all bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
