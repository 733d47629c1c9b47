import type { AgentContext } from './context.ts';
import type { HeldReservation } from './reservation.ts';

/** Longest wait for a disposition that is required, ms; an event then names the agent. */
export const MAX_DISPOSITION_WAIT_MS = 10 * 60_000;
/** Least time that an agent gets on asking for more, ms. */
const MIN_EXTENSION_MS = 60_000;

export function hasWrapUp(reservation: HeldReservation | null): boolean {
  if (reservation === null || reservation.isDisposed === true) return false;
  return reservation.wrapUpMs > 0 || reservation.isRequired === true;
}

/** The extension, once: as long as the first period. */
export function extensionMs({ wrapUpMs }: HeldReservation): number {
  return Math.max(wrapUpMs, MIN_EXTENSION_MS);
}

/** When the time that the agent is given is over; UTC ms. */
export function wrapUpEndsAt({ wrapUpAt = 0, wrapUpMs, extraMs = 0 }: HeldReservation): number {
  return wrapUpAt + wrapUpMs + extraMs;
}

/** When the agent is free whatever happens: a required disposition is waited for beyond its time. UTC ms */
export function wrapUpLimitAt(reservation: HeldReservation): number {
  const { wrapUpAt = 0, extraMs = 0, isRequired = false } = reservation;
  return isRequired ? Math.max(wrapUpEndsAt(reservation), wrapUpAt + MAX_DISPOSITION_WAIT_MS + extraMs) : wrapUpEndsAt(reservation);
}

/** Time from an event to the end of the wrap-up, ms. */
export function wrapUpLeftMs(reservation: HeldReservation, event: object): number {
  const at = atOf(event) ?? reservation.wrapUpAt ?? 0;
  return Math.max(0, wrapUpLimitAt(reservation) - at);
}

/** When an engagement ended: by the event's time, else at the planned end of the wrap-up; undefined when neither is known. UTC ms */
export function leftAt(context: AgentContext, event: object): number | undefined {
  const at = atOf(event);
  if (at !== undefined) return notBefore(context, at);
  return context.reservation?.wrapUpAt === undefined ? undefined : wrapUpLimitAt(context.reservation);
}

/** The clocks of switches differ from ours; a stage does not begin before the one that it follows. UTC ms */
export function notBefore({ since = 0 }: AgentContext, at: number): number {
  return Math.max(since, at);
}

/** The instant of an event, or of the beginning of a restored actor. */
function atOf(event: object): number | undefined {
  if ('input' in event && typeof event.input === 'object' && event.input !== null) return atOf(event.input);
  return 'at' in event && typeof event.at === 'number' ? event.at : undefined;
}
