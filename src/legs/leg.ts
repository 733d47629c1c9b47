/** Owner of a leg's channel. `customer`: the person called by an agent directly. Source: OCS 4.13, 4.15 */
export const LEG_ROLES = ['agent', 'supervisor', 'external'] as const;
export type LegRole = (typeof LEG_ROLES)[number] | 'customer';
/** How a leg takes part in a conference. `session`: as part of a browser phone's session. Source: D12.6 */
export const LEG_MODES = ['transfer', 'blind', 'consult', 'listen', 'whisper', 'barge', 'session'] as const;
export type LegMode = (typeof LEG_MODES)[number];
/** How a participant is added to a running conference. */
export type ParticipantMode = Exclude<LegMode, 'transfer' | 'session'>;
/** `aside`: in the conference, muted and deaf, during a consultation. */
export const CUSTOMER_STATES = ['outside', 'inside', 'aside', 'gone'] as const;
export type CustomerState = (typeof CUSTOMER_STATES)[number];
export const LEG_STATUSES = ['reserved', 'dialing', 'ringing', 'joined', 'ended'] as const;
export type LegStatus = (typeof LEG_STATUSES)[number];

/** The user who requests to add a participant. */
export interface LegRequester {
  /** Whether the user has the dispatch permission: supervisors and administrators. */
  isDispatcher: boolean;
  /** Softphone call of the user's own leg in the conference; null when the user has none. */
  callId: number | null;
}

export function isSupervising(mode: LegMode): boolean {
  return mode === 'listen' || mode === 'whisper' || mode === 'barge';
}

/** Whether the customer hears this leg. A whispering supervisor starts muted, until all but the agents are kept from hearing it. */
export function speaksIn(mode: LegMode): boolean {
  return mode !== 'listen' && mode !== 'whisper';
}

/** Whether the leg speaks on our side, joined or still ringing: not a supervisor, not the customer. */
export function speaksForUs({ role, mode }: { role: LegRole; mode: LegMode | null }): boolean {
  return role === 'agent' || (role === 'external' && mode !== 'session');
}

/** Leg of the customer called by a browser phone's session; undefined in a transfer, where the customer was called before. */
export function customerLegOf<Leg extends { role: LegRole; mode: LegMode | null }>({ legs }: { legs: readonly Leg[] }): Leg | undefined {
  return legs.find(leg => leg.role === 'external' && leg.mode === 'session');
}
