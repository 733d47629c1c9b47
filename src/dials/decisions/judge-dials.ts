import type { NewContact } from '#contacts/contact.ts';
import { problem, type Problem } from '#kernel/problem.ts';
import { destinationNumber } from '#phone-numbers/phone-number.ts';
import { type DiallingPlace, isBarredCode } from '#phone-numbers/short-code.ts';

/** A dial with all its members; instants are UTC ms. */
export interface RequestedDial extends NewContact {
  notBefore: number | null;
  notAfter: number | null;
  /** 0..9. */
  urgency: number;
}

export interface DialRefusal {
  field: string;
  problem: Problem;
  /** The contact that prevents the dial; null when none does. */
  contactId: number | null;
}

/** Contacts of the campaign that a new dial may meet. */
export interface KnownContacts {
  /** Contacts by the id that another system gave them. */
  byExternalId: ReadonlyMap<string, number>;
  /** Contacts by number that wait to be dialled or are in a call. */
  waiting: ReadonlyMap<string, number>;
}

/** `now`: UTC ms. */
export interface Judgement {
  now: number;
  place: DiallingPlace;
  known: KnownContacts;
}

/**
 * Decides about each dial of a request; one that is refused leaves the others untouched.
 *
 * Why:   a number whose contact is over may be asked for again: the business calls a person for each order
 * Shape: one member per dial, null = accepted
 * Source: D7.15
 */
export function judgeDials(dials: readonly RequestedDial[], judgement: Judgement): (DialRefusal | null)[] {
  const earlier = { numbers: new Map<string, number>(), externalIds: new Map<string, number>() };
  return dials.map((dial, index) => {
    const refusal = ownRefusal(dial, judgement) ?? repetitionOf(dial, earlier) ?? duplicateOf(dial, judgement.known);
    if (refusal === null) {
      earlier.numbers.set(dial.dialKey, index);
      if (dial.externalId !== '') earlier.externalIds.set(dial.externalId, index);
    }
    return refusal;
  });
}

function refuse(field: keyof RequestedDial, of: Problem, contactId: number | null = null): DialRefusal {
  return { field, problem: of, contactId };
}

function ownRefusal({ dialKey, notAfter }: RequestedDial, { now, place }: Judgement): DialRefusal | null {
  if (destinationNumber(dialKey) === null) return refuse('phoneNumber', problem('undiallable'));
  if (isBarredCode(dialKey, place)) return refuse('phoneNumber', problem('barredCode'));
  return notAfter !== null && notAfter <= now ? refuse('notAfter', problem('inThePast')) : null;
}

/** A number or an id that an accepted dial of the same request has. */
function repetitionOf(
  { dialKey, externalId }: RequestedDial,
  earlier: Record<'numbers' | 'externalIds', ReadonlyMap<string, number>>,
): DialRefusal | null {
  const sameId = earlier.externalIds.get(externalId);
  if (sameId !== undefined) return refuse('externalId', problem('repeats', { other: `dials[${sameId}].externalId` }));
  const sameNumber = earlier.numbers.get(dialKey);
  return sameNumber === undefined ? null : refuse('phoneNumber', problem('repeats', { other: `dials[${sameNumber}].phoneNumber` }));
}

function duplicateOf({ dialKey, externalId }: RequestedDial, { byExternalId, waiting }: KnownContacts): DialRefusal | null {
  const known = byExternalId.get(externalId);
  if (known !== undefined) return refuse('externalId', problem('knownExternalId'), known);
  const other = waiting.get(dialKey);
  return other === undefined ? null : refuse('phoneNumber', problem('waitsAlready'), other);
}
