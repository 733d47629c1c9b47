import type { ConferenceLeg, ConferenceSession } from '#ports/conference-store.ts';

/** The leg of the customer whom a session of a browser phone has called; undefined in a transfer, whose customer came by itself. */
export function customerLegOf({ legs }: Pick<ConferenceSession, 'legs'>): ConferenceLeg | undefined {
  return legs.find(leg => leg.role === 'external' && leg.mode === 'session');
}

/** The customer's channel, however the customer came into the conference. */
export function customerChannelOf(session: ConferenceSession): string | null {
  return session.customerUuid ?? customerLegOf(session)?.legUuid ?? null;
}
