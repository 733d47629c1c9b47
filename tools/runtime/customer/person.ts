import { type Random, randomInt, randomPick } from '#kernel/random.ts';
import type { Customer, Reply } from './customer.ts';
import { COMMON_ANSWERS, type Persona, PERSONAS, type PromptKind, type Tendency } from './personas.ts';
import { type Act, DAYS, FILLERS, TIMES, UTTERANCES } from './utterances.ts';

/** Pause between the answer and the first word, in ms. */
const PICK_UP_MS = [200, 900] as const;
/** Share of customers who speak first. */
const GREET_RATE = 0.8;

/** A simulated customer: the same seed gives the same persona and replies. */
export function person(random: Random, persona: Persona = pickPersona(random)): Customer {
  let offers = 0;
  const said = new Set<string>();
  return {
    greet() {
      if (random.next() >= GREET_RATE) return null;
      const text = randomPick(random, UTTERANCES.greet);
      return { text, thinkMs: randomInt(random, PICK_UP_MS[0], PICK_UP_MS[1]), speechMs: text.length * persona.msPerCharacter };
    },
    reply(prompt) {
      const kind = promptKind(prompt);
      if (kind === 'offer') offers += 1;
      const act = pickWeighted(tendency(persona, kind, offers), random);
      return act === 'silence' ? null : utter(act, { persona, random, said });
    },
  };
}

/** Kind of a prompt, as a customer would understand it. */
export function promptKind(prompt: string): PromptKind {
  if (/什么时间|什么时候|几点|哪天|何时/.test(prompt)) return 'time';
  if (/(请问|您)是.{1,12}(吗|本人)/.test(prompt)) return 'identity';
  if (/满意|打分|几分|评价/.test(prompt)) return 'rating';
  if (/几[个位口台次人]|多少|多久/.test(prompt)) return 'count';
  return /吗[？?。]?$|要不要|好不好|行不行|是否|考虑|[？?]$/.test(prompt) ? 'offer' : 'statement';
}

function tendency(persona: Persona, kind: PromptKind, offers: number): Tendency {
  if (kind === 'offer') return offers > 1 ? persona.laterOffer : persona.offer;
  return persona.answers?.[kind] ?? COMMON_ANSWERS[kind];
}

function utter(act: Act, { persona, random, said }: { persona: Persona; random: Random; said: Set<string> }): Reply {
  const fresh = UTTERANCES[act].filter(text => !said.has(text));
  const chosen = randomPick<string>(random, fresh.length > 0 ? fresh : UTTERANCES[act]);
  said.add(chosen);
  const filled = chosen.replace('{time}', () => randomPick(random, TIMES)).replace('{day}', () => randomPick(random, DAYS));
  const text = random.next() < persona.fillerRate ? `${randomPick(random, FILLERS)}${filled}` : filled;
  const [min, max] = persona.thinkMs;
  return { text, thinkMs: randomInt(random, min, max), speechMs: text.length * persona.msPerCharacter };
}

function pickPersona(random: Random): Persona {
  const total = PERSONAS.reduce((sum, { share }) => sum + share, 0);
  let at = random.next() * total;
  return PERSONAS.find(({ share }) => (at -= share) < 0) ?? randomPick(random, PERSONAS);
}

function pickWeighted(weights: Tendency, random: Random): Act | 'silence' {
  const entries = Object.entries(weights) as [Act | 'silence', number][];
  let at = random.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  return entries.find(([, weight]) => (at -= weight) < 0)?.[0] ?? 'silence';
}
