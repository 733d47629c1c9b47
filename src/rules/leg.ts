/** Whose channel a leg is; `customer`: whom an agent's own call has called. Source: OCS 4.13, 4.15 */
export const LEG_ROLES = ['agent', 'supervisor', 'external'] as const;
export type LegRole = (typeof LEG_ROLES)[number] | 'customer';
/** How somebody takes part in a conference. `session`: by a browser phone's session. Source: D12.6 */
export const LEG_MODES = ['transfer', 'blind', 'consult', 'listen', 'whisper', 'barge', 'session'] as const;
export type LegMode = (typeof LEG_MODES)[number];
/** How somebody is brought into one that goes on. */
export type ParticipantMode = Exclude<LegMode, 'transfer' | 'session'>;
/** `aside`: in the conference, neither heard nor hearing, while a consultation goes on. */
export const CUSTOMER_STATES = ['outside', 'inside', 'aside', 'gone'] as const;
export type CustomerState = (typeof CUSTOMER_STATES)[number];
export const LEG_STATUSES = ['reserved', 'dialing', 'ringing', 'joined', 'ended'] as const;
export type LegStatus = (typeof LEG_STATUSES)[number];

/** Who asks for somebody's part in a conference. */
export interface LegAsker {
  /** Whether they may dispatch: supervisors and administrators. */
  isDispatcher: boolean;
  /** Call of their own leg in the conference; null: they are not in it. */
  callId: number | null;
}

export function isSupervising(mode: LegMode): boolean {
  return mode === 'listen' || mode === 'whisper' || mode === 'barge';
}

/** Who only listens is not heard, nor who whispers before everybody but the agents is kept from it. */
export function speaksIn(mode: LegMode): boolean {
  return mode !== 'listen' && mode !== 'whisper';
}

/** Whether the leg is of somebody who speaks for us, on the line or still called: no supervisor, not the customer. */
export function speaksForUs({ role, mode }: { role: LegRole; mode: LegMode | null }): boolean {
  return role === 'agent' || (role === 'external' && mode !== 'session');
}

/** The leg of the customer whom a session of a browser phone has called; undefined in a transfer, whose customer came by itself. */
export function customerLegOf<Leg extends { role: LegRole; mode: LegMode | null }>({ legs }: { legs: readonly Leg[] }): Leg | undefined {
  return legs.find(leg => leg.role === 'external' && leg.mode === 'session');
}
