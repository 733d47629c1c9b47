import { matchesState, type StateValue } from 'xstate';
import { type CallContext, isAnswered } from './context.ts';

/** A call as its actor holds it. */
interface Call {
  value: unknown;
  context: CallContext;
}

export type CallStage = 'dialing' | 'ringing' | 'live' | 'settling' | 'ended';

/** The stage that watchers see (D9.2): while the switch is asked, the call shows where it stood. */
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

/** The channel is known to be gone; before, whatever was reported, it may still be ended. */
export function hasLeft({ value }: Call): boolean {
  return isIn('settling', value) || isIn({ ended: 'closed' }, value) || isIn({ ended: 'forgotten' }, value);
}

/** Answered, and no runtime has taken the call yet. */
export function isOffered({ value }: Call): boolean {
  return isIn({ open: { live: 'offering' } }, value);
}

/** The runtime that has taken the call, by its name; null: none, or one that has not registered. */
export function ownerOf({ context }: Call): string | null {
  return context.runtimeTaken === true ? (context.owner ?? null) : null;
}

function isIn(place: StateValue, value: unknown): boolean {
  return matchesState(place, value as StateValue);
}
