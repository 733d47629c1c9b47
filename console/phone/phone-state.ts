import type { Quality } from './quality.ts';
import { partOf, type Trouble, type TroublePart } from './trouble.ts';

/** `starting` until the first answer, `waiting` between two attempts, `refused` when only a person can help. */
export type Registration = 'starting' | 'registered' | 'waiting' | 'refused';

export type CallPhase = 'ringing' | 'dialling' | 'talking' | 'ended';

export interface PhoneCall {
  /** Call-ID of SIP. */
  id: string;
  direction: 'incoming' | 'outgoing';
  phase: CallPhase;
  /** Number of the other party as the switch sends it. */
  number: string;
  /** Name of the other party; empty when the switch sends none. */
  name: string;
  /** When it was answered, in ms of the browser's clock; null before. */
  answeredAt: number | null;
  isMuted: boolean;
  isHeld: boolean;
  /** Whether its media or its signalling is being restored after a drop or a reload. */
  isRestored: boolean;
  quality: Quality | null;
  /** Why it ended; null before. */
  cause: string | null;
}

/** The phone's state as every tab shows it. Plain data, because tabs send it to each other. */
export interface PhoneState {
  /** Null until the configuration is known. */
  extension: string | null;
  registration: Registration;
  /** At most one of each part, the one that matters most first. */
  troubles: readonly Trouble[];
  /** The current call; one that has just ended stays for a moment. */
  call: PhoneCall | null;
  /** Whether the browser keeps back the ring tone until the user has clicked or typed. */
  isSilenced: boolean;
}

export const NO_PHONE: PhoneState = { extension: null, registration: 'starting', troubles: [], call: null, isSilenced: false };

export type PhoneEvent =
  | { type: 'configured'; extension: string }
  | { type: 'registered' }
  | { type: 'unregistered' }
  | { type: 'troubled'; trouble: Trouble }
  | { type: 'mended'; part: TroublePart }
  | { type: 'silenced'; isSilenced: boolean }
  | { type: 'begun'; call: Pick<PhoneCall, 'id' | 'direction' | 'number' | 'name'> }
  | { type: 'takenBack'; call: Omit<PhoneCall, 'phase' | 'isRestored' | 'quality' | 'cause'> }
  | { type: 'answered'; at: number }
  | { type: 'changed'; change: Partial<Pick<PhoneCall, 'isMuted' | 'isHeld' | 'isRestored' | 'quality'>> }
  | { type: 'ended'; cause: string }
  | { type: 'cleared' };

const NEW_CALL = {
  phase: 'talking',
  isMuted: false,
  isHeld: false,
  isRestored: false,
  quality: null,
  answeredAt: null,
  cause: null,
} as const;

/** Parts of the phone, the one first without which the others do not matter. */
const PARTS: readonly TroublePart[] = ['line', 'microphone', 'call'];

/** The state after an event. */
export function changePhone(state: PhoneState, event: PhoneEvent): PhoneState {
  switch (event.type) {
    case 'configured':
      return { ...state, extension: event.extension };
    case 'registered':
      return { ...without(state, 'line'), registration: 'registered' };
    case 'unregistered':
      return { ...state, registration: state.registration === 'refused' ? 'refused' : 'waiting' };
    case 'silenced':
      return event.isSilenced === state.isSilenced ? state : { ...state, isSilenced: event.isSilenced };
    case 'troubled':
      return troubled(state, event.trouble);
    case 'mended':
      return without(state, event.part);
    case 'begun':
    case 'takenBack':
    case 'answered':
    case 'changed':
    case 'ended':
    case 'cleared':
      break;
  }
  return withCall(state, changeCall(state.call, event));
}

type CallEvent = Extract<PhoneEvent, { type: 'begun' | 'takenBack' | 'answered' | 'changed' | 'ended' | 'cleared' }>;

function changeCall(call: PhoneCall | null, event: CallEvent): PhoneCall | null {
  if (event.type === 'begun') return { ...NEW_CALL, ...event.call, phase: event.call.direction === 'incoming' ? 'ringing' : 'dialling' };
  if (event.type === 'takenBack') return { ...NEW_CALL, ...event.call, isRestored: true };
  if (event.type === 'cleared') return call?.phase === 'ended' ? null : call;
  // A call that has ended stays as it ended.
  if (call === null || call.phase === 'ended') return call;
  if (event.type === 'answered') return { ...call, phase: 'talking', answeredAt: call.answeredAt ?? event.at };
  if (event.type === 'changed') return { ...call, ...event.change };
  return { ...call, phase: 'ended', cause: event.cause, isRestored: false, quality: null };
}

/** A trouble of the line also says how the registration stands; the others leave it. */
function troubled(state: PhoneState, trouble: Trouble): PhoneState {
  const part = partOf(trouble);
  const troubles = [...without(state, part).troubles, trouble].toSorted(
    (one, other) => PARTS.indexOf(partOf(one)) - PARTS.indexOf(partOf(other)),
  );
  if (part !== 'line') return { ...state, troubles };
  const isFinal = trouble.kind === 'refused' || trouble.kind === 'unconfigured' || trouble.kind === 'insecure';
  return { ...state, troubles, registration: isFinal ? 'refused' : 'waiting' };
}

function without(state: PhoneState, part: TroublePart): PhoneState {
  const troubles = state.troubles.filter(each => partOf(each) !== part);
  return troubles.length === state.troubles.length ? state : { ...state, troubles };
}

/** A call that begins ends what was said about the one before. */
function withCall(state: PhoneState, call: PhoneCall | null): PhoneState {
  if (call === state.call) return state;
  return { ...(call && call.id !== state.call?.id ? without(state, 'call') : state), call };
}

/** Whether a call needs the bar: it rings, is dialled or is talked in. */
export function isBusy({ call }: PhoneState): boolean {
  return call !== null && call.phase !== 'ended';
}
