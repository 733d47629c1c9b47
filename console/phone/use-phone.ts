import { useSyncExternalStore } from 'react';
import { NO_PHONE, type PhoneCall, type PhoneState } from './phone-state.ts';
import type { PhoneCommand, SharedPhone } from './shared-phone.ts';

/** The phone of the signed-in user, set once it has been loaded. It outlives the page. */
let current: SharedPhone | null = null;
let stopListening = () => {};
const listeners = new Set<() => void>();

export interface PhoneActions {
  answer: () => void;
  /** Hangs up, or declines a call that rings. */
  hangUp: () => void;
  mute: (isMuted: boolean) => void;
  hold: (isHeld: boolean) => void;
  /** Sends digits, `*` and `#`. */
  keys: (tones: string) => void;
  /** Calls a number of the switch, such as the room of a softphone session with its headers. */
  dial: (target: string, headers: Readonly<Record<string, string>>) => void;
  /** Connects and registers again, now. */
  retry: () => void;
}

export interface Phone {
  /** Whether the user has a browser phone. */
  isThere: boolean;
  /** Whether this tab has it; else another tab sounds. */
  isHere: boolean;
  state: PhoneState;
  /** The current call, or the one that has just ended; null when there is none. */
  call: PhoneCall | null;
  actions: PhoneActions;
}

const run = (command: PhoneCommand) => current?.run(command);

const ACTIONS: PhoneActions = {
  answer: () => run({ name: 'answer' }),
  hangUp: () => run({ name: 'hangUp' }),
  mute: isMuted => run({ name: 'mute', isMuted }),
  hold: isHeld => run({ name: 'hold', isHeld }),
  keys: tones => run({ name: 'keys', tones }),
  dial: (target, headers) => run({ name: 'dial', target, headers }),
  retry: () => run({ name: 'retry' }),
};

/** The browser phone, in every tab of the user; `isThere` is false for users without one. */
export function usePhone(): Phone {
  const state = useSyncExternalStore(onPhoneChange, phoneState);
  return { isThere: state.extension !== null, isHere: current?.isHere() ?? false, state, call: state.call, actions: ACTIONS };
}

function phoneState(): PhoneState {
  return current?.state() ?? NO_PHONE;
}

function onPhoneChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Replaces the phone; null removes it. */
export function setPhone(phone: SharedPhone | null): void {
  stopListening();
  current?.close();
  current = phone;
  stopListening = phone?.onChange(notify) ?? (() => {});
  notify();
}

function notify(): void {
  for (const listener of listeners) listener();
}
