import { matchesState, type StateValue } from 'xstate';
import { type CallContext, isAnswered } from './context.ts';

/** A call as stored by its actor. */
interface Call {
  value: unknown;
  context: CallContext;
}

export type CallStage = 'dialing' | 'ringing' | 'live' | 'settling' | 'ended';

/** The stage shown to users (D9.2); during a probe the previous stage remains. */
export function callStage({ value, context }: Call): CallStage {
  if (isIn('settling', value)) return 'settling';
  if (isIn('ended', value)) return 'ended';
  if (isAnswered(context)) return 'live';
  return context.ringing ? 'ringing' : 'dialing';
}

/** Whether the customer is on the line. */
export function isLive(call: Call): boolean {
  return callStage(call) === 'live';
}

/** Whether the channel is known to be gone; until then a hang-up may still be needed, whatever was reported. */
export function hasLeft({ value }: Call): boolean {
  return isIn('settling', value) || isIn({ ended: 'closed' }, value) || isIn({ ended: 'forgotten' }, value);
}

/** Whether the call is answered and not yet accepted by a runtime. */
export function isOffered({ value }: Call): boolean {
  return isIn({ open: { live: 'offering' } }, value);
}

/** Name of the runtime that has accepted the call; null when none has, or when it is not registered. */
export function ownerOf({ context }: Call): string | null {
  return context.runtimeTaken === true ? (context.owner ?? null) : null;
}

function isIn(place: StateValue, value: unknown): boolean {
  return matchesState(place, value as StateValue);
}
