/** One of our people in a call, by the leg of a phone; a call has as many as were ever rung for it. Units: instants UTC ms */
export interface CallPerson {
  legUuid: string;
  agentId: number;
  /** Null for an agent without a user. */
  userId: number | null;
  /** When the phone was answered; null while it rings, and when it never was. */
  joinedAt: number | null;
  leftAt: number | null;
  /** Left because another person, or the bot, has the customer now. */
  hasHandedOver: boolean;
}

/** Limit of people kept of one call; the earliest of those who have left are dropped first. */
const MAX_PEOPLE = 100;
/** Those who left this shortly before the last one, ms, were there to the end: the room is cleared, and the bot may say goodbye. */
const END_MS = 15_000;

/**
 * The people of a call after a report of legs; the same list when the report changes nothing.
 *
 * Why: reports may be repeated or swapped, and a leg only moves forward (rung, joined, left), so that each keeps the later of both states
 */
export function withPeople(people: readonly CallPerson[], reported: readonly CallPerson[]): readonly CallPerson[] {
  const known = new Map(people.map(person => [person.legUuid, person]));
  const news = reported.filter(person => isNews(known.get(person.legUuid), person));
  if (news.length === 0) return people;
  for (const person of news) known.set(person.legUuid, latest(known.get(person.legUuid), person));
  return bounded([...known.values()]);
}

function isNews(known: CallPerson | undefined, { joinedAt, leftAt }: CallPerson): boolean {
  if (known === undefined) return true;
  return (known.joinedAt === null && joinedAt !== null) || (known.leftAt === null && leftAt !== null);
}

function latest(known: CallPerson | undefined, person: CallPerson): CallPerson {
  return { ...person, joinedAt: known?.joinedAt ?? person.joinedAt, leftAt: known?.leftAt ?? person.leftAt };
}

function bounded(people: readonly CallPerson[]): readonly CallPerson[] {
  if (people.length <= MAX_PEOPLE) return people;
  const here = people.filter(isHere);
  const gone = people.filter(person => !isHere(person));
  return [...gone.slice(Math.max(0, people.length - MAX_PEOPLE)), ...here];
}

function isHere({ leftAt }: CallPerson): boolean {
  return leftAt === null;
}

/**
 * Whether a user has part in a call: by a leg that has not ended; once the call is over, also by having been among the last to talk, so that
 * they can write down what came of it.
 */
export function hasPart(people: readonly CallPerson[], userId: number, isOver: boolean): boolean {
  const own = people.filter(person => person.userId === userId);
  return own.some(isHere) || (isOver && own.some(person => wasLast(people, person)));
}

function wasLast(people: readonly CallPerson[], { joinedAt, leftAt, hasHandedOver }: CallPerson): boolean {
  if (joinedAt === null || leftAt === null || hasHandedOver) return false;
  const lastAt = Math.max(...people.map(person => (person.joinedAt === null ? 0 : (person.leftAt ?? 0))));
  return leftAt >= lastAt - END_MS;
}
