/** Whose channel a leg is; `customer`: whom an agent's own call has called. Source: OCS 4.13, 4.15 */
export type LegRole = 'agent' | 'customer' | 'supervisor' | 'external';
/** How somebody takes part in a conference. `session`: by a browser phone's session. Source: D12.6 */
export type LegMode = 'transfer' | 'blind' | 'consult' | 'listen' | 'barge' | 'session';
export type LegStatus = 'reserved' | 'dialing' | 'ringing' | 'joined' | 'ended';

/** Who asks for somebody's part in a conference. */
export interface LegAsker {
  /** Whether they may dispatch: supervisors and administrators. */
  isDispatcher: boolean;
  /** Call of their own leg in the conference; null: they are not in it. */
  callId: number | null;
}

export function isSupervising(mode: LegMode): boolean {
  return mode === 'listen' || mode === 'barge';
}

/** Somebody who only listens is not heard. */
export function speaksIn(mode: LegMode): boolean {
  return mode !== 'listen';
}

/** Whether the leg is of somebody who speaks for us, on the line or still called: no supervisor, not the customer. */
export function speaksForUs({ role, mode }: { role: LegRole; mode: LegMode | null }): boolean {
  return role === 'agent' || (role === 'external' && mode !== 'session');
}
