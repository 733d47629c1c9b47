import type { Cancel } from '#kernel/clock.ts';
import type { Way } from './dial-string.ts';
import type { Phone } from './phone.ts';
import type { CalleePlan, Refusal } from './world.ts';

/** States of a channel, with their numbers in events. */
export const CHANNEL_STATES = {
  CS_INIT: 2,
  CS_SOFT_EXECUTE: 3,
  CS_EXECUTE: 4,
  CS_EXCHANGE_MEDIA: 5,
  CS_CONSUME_MEDIA: 7,
  CS_REPORTING: 11,
} as const;
export type ChannelState = keyof typeof CHANNEL_STATES;
export type CallState = 'DOWN' | 'RINGING' | 'EARLY' | 'ACTIVE' | 'HELD' | 'UNHELD' | 'HANGUP';

/** Application that a channel runs: `park`, `conference room@default`, `uuid_bridge <uuid>`. */
export interface RunningApplication {
  name: string;
  data: string;
}

/** One leg at the simulated switch. */
export interface Channel {
  uuid: string;
  /** `inbound`: a phone has called the switch. */
  direction: 'outbound' | 'inbound';
  channelName: string;
  /** Called number. */
  number: string;
  gateway: string | null;
  endpoint: string;
  way: Way;
  /** An agent's phone; null: an external number. */
  phone: Phone | null;
  dialString: string;
  application: string;
  variables: Map<string, string>;
  /** Variables as given by the originate. */
  createdVariables: ReadonlyMap<string, string>;
  sessionId: number;
  plan: CalleePlan | null;
  state: ChannelState;
  callState: CallState;
  running: RunningApplication | null;
  /** Whether a runtime serves the callee, or something was played to it. */
  isAttended: boolean;
  /** Whether a runtime gives the callee words (`callout_speak`), heard or not. */
  hasRuntime: boolean;
  /** Remaining talk time of the callee, in ms; null: it never hangs up by itself. */
  talkLeftMs: number | null;
  /** Pauses the talk; null while it does not run. */
  pauseTalk: Cancel | null;
  /** Cancels a pending transfer. */
  cancelMove: Cancel | null;
  /** UTC ms. */
  createdAt: number;
  progressAt: number | null;
  mediaAt: number | null;
  answeredAt: number | null;
  endedAt: number | null;
  cause: string | null;
  /** Whether the far end refused the call, not the switch's own SIP stack. */
  isRefusedByCallee: boolean;
  timers: Set<Cancel>;
  /** Called once with the result of the originate. */
  finish(result: string): void;
}

/** Facts of a channel that its creation knows. */
export type NewChannel = Pick<
  Channel,
  | 'uuid'
  | 'direction'
  | 'channelName'
  | 'number'
  | 'gateway'
  | 'endpoint'
  | 'way'
  | 'phone'
  | 'dialString'
  | 'application'
  | 'createdVariables'
> &
  Pick<Channel, 'sessionId' | 'createdAt' | 'finish'>;

export function newChannel(parts: NewChannel): Channel {
  return {
    ...parts,
    variables: new Map(parts.createdVariables),
    plan: null,
    state: 'CS_INIT',
    callState: 'DOWN',
    running: null,
    isAttended: false,
    hasRuntime: false,
    talkLeftMs: null,
    pauseTalk: null,
    cancelMove: null,
    progressAt: null,
    mediaAt: null,
    answeredAt: null,
    endedAt: null,
    cause: null,
    isRefusedByCallee: false,
    timers: new Set(),
  };
}

/** How a channel ends. */
export interface Ending {
  cause: string;
  /** `variable_sip_hangup_disposition`; null for endpoints without SIP. */
  disposition: 'recv_bye' | 'send_bye' | 'recv_refuse' | 'send_cancel' | null;
  refusal?: Refusal;
}

/** The part of browsers' phones that the switch uses. */
export interface BrowserPhoneSide {
  /** Rings the phones of the channel's extension; false when none is registered. */
  rings(channel: Channel): boolean;
  /** The channel has ended, from either side. */
  released(channel: Channel): void;
}

/** A call that an agent's phone places. */
export interface PhoneCallParts {
  extension: string;
  number: string;
  /** `&conference(room@profile)`. */
  application: string;
  variables: ReadonlyMap<string, string>;
}

/** Q.850 numbers of the causes that a client may name. */
export const CAUSE_NUMBERS: Readonly<Record<string, number>> = {
  UNALLOCATED_NUMBER: 1,
  NO_ROUTE_DESTINATION: 3,
  NORMAL_CLEARING: 16,
  USER_BUSY: 17,
  NO_USER_RESPONSE: 18,
  NO_ANSWER: 19,
  SUBSCRIBER_ABSENT: 20,
  CALL_REJECTED: 21,
  NUMBER_CHANGED: 22,
  DESTINATION_OUT_OF_ORDER: 27,
  INVALID_NUMBER_FORMAT: 28,
  NORMAL_UNSPECIFIED: 31,
  NORMAL_CIRCUIT_CONGESTION: 34,
  NORMAL_TEMPORARY_FAILURE: 41,
  RECOVERY_ON_TIMER_EXPIRE: 102,
  ORIGINATOR_CANCEL: 487,
  MANAGER_REQUEST: 503,
  SYSTEM_SHUTDOWN: 501,
  ALLOTTED_TIMEOUT: 602,
  MEDIA_TIMEOUT: 604,
  PROGRESS_TIMEOUT: 607,
};

/** Cause for a name or a number; an unknown one is NORMAL_CLEARING, as on the real switch. */
export function causeNamed(text: string): string {
  if (Object.hasOwn(CAUSE_NUMBERS, text)) return text;
  return Object.keys(CAUSE_NUMBERS).find(name => String(CAUSE_NUMBERS[name]) === text) ?? 'NORMAL_CLEARING';
}
