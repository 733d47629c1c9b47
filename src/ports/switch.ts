import type { CELL_STATES } from '#contract/rest/runtime-overview.ts';

/**
 * The telephony switch as operations see it: cells that take originates and report what happens to channels.
 * A channel's uuid at the switch is the attempt's `requestId`.
 *
 * Source: A6, A10, test/fixtures/esl/README.md
 */
export interface SwitchPort {
  /**
   * Writes one originate to the cell, at most once. Never rejects: what the caller must know is in the reply.
   *
   * Why: an originate is never re-sent; `unknown` must be reconciled with `probe`
   */
  originate(command: OriginateCommand): Promise<OriginateReply>;
  /**
   * Ends a channel.
   *
   * Errors: SWITCH_UNAVAILABLE when the cell does not answer
   */
  hangup(cellId: string, requestId: string, cause: string): Promise<'ended' | 'absent'>;
  /**
   * How the channel stands right now, exactly: what was missed of it decides nothing.
   *
   * Errors: SWITCH_UNAVAILABLE when the cell does not answer
   */
  probe(cellId: string, requestId: string): Promise<ChannelState>;
  /**
   * The channels that the cell lists (`show channels`, up to 300 ms old): nominates, never decides.
   *
   * Errors: SWITCH_UNAVAILABLE when the cell does not answer
   */
  channels(cellId: string): Promise<ListedChannel[]>;
  /**
   * Lets the channel hear the configured apology, and ends it.
   *
   * Errors: SWITCH_UNAVAILABLE when the cell does not answer
   */
  dismiss(cellId: string, requestId: string): Promise<'dismissed' | 'absent'>;
  /**
   * Sets channel variables that `{}` cannot carry (D4.5); unknown channel: nothing happens.
   *
   * Errors: SWITCH_UNAVAILABLE when the cell does not answer
   */
  setVariables(cellId: string, requestId: string, variables: Readonly<Record<string, string>>): Promise<void>;
  /** Domain in the From of a gateway of the cell; null: it is unknown, or the cell does not answer. Source: D4.4 */
  gatewayDomain(cellId: string, gateway: string): Promise<string | null>;
  /** How a gateway of the cell stands, at most seconds ago. */
  gatewayStatus(cellId: string, gateway: string): Promise<GatewayStatus>;
  /** State of every configured cell. */
  cells(): readonly CellState[];
  /** Calls `listener` with every event, in the order read, synchronously; the returned function stops it. */
  subscribe(listener: (event: SwitchEvent) => void): () => void;
}

export interface CellState {
  cellId: string;
  isEnabled: boolean;
  /** `up` only when both sockets are authenticated and subscribed. */
  state: (typeof CELL_STATES)[number];
  /** UTC ms of the last change of `state`. */
  since: number;
  /** Why the newest attempt to reach it has failed; absent while it is up. */
  fault?: CellFault | undefined;
  maxConcurrency: number;
  maxOriginatesPerSecond: number;
}

/**
 * `registered`: the carrier knows us; `open`: it needs no registration; `trying`: a registration is under way; `failed`: the carrier refuses it or
 * does not answer; `missing`: the switch has no such gateway; `unknown`: the cell does not answer.
 */
export const GATEWAY_STATES = ['registered', 'open', 'trying', 'failed', 'missing', 'unknown'] as const;

export interface GatewayStatus {
  state: (typeof GATEWAY_STATES)[number];
  /** UTC ms; as the switch says, else when it was first seen so here. */
  since: number;
  /** In the words of the switch: `FAIL_WAIT`; null when it said nothing. */
  detail: string | null;
}

/** `auth_refused`: the password is wrong; `acl_refused`: our address is not let in. */
export type CellFault = 'auth_refused' | 'acl_refused' | 'shutting_down' | 'unreachable';

/** `ringing` is every channel that nobody has answered yet. `answeredAt`: UTC ms, by the clock of the switch. */
export type ChannelState = { kind: 'absent' } | { kind: 'ringing' } | { kind: 'answered'; answeredAt: number };

export interface ListedChannel {
  uuid: string;
  /** Somebody has answered it. */
  isAnswered: boolean;
  /** It is in a conference, with people. */
  isInConference: boolean;
}

export interface OriginateCommand {
  cellId: string;
  requestId: string;
  /** Holds `{{destinationNumber}}` once; CR, LF and NUL are refused. */
  dialStringTemplate: string;
  /** Only `+`, digits, `*`, `#` (rules/phone-number). */
  destinationNumber: string;
  callerIdNumber: string | null;
  callerIdName: string | null;
  callerIdHeaderMode: 'caller_id_only' | 'p_preferred_identity' | 'from_and_p_preferred_identity';
  timeoutSeconds: number;
  /** Already filtered by name (D4.5), values exact; the adapter escapes them or sets them later. */
  variables: Readonly<Record<string, string>>;
  /** The answered leg goes into this conference; absent: it is parked. */
  conference?: ConferencePlace;
  /** Monotonic instant of the clock after which nothing may be written any more (send deadline, A6 step 6). */
  sendBefore: number;
}

export interface ConferencePlace {
  /** Letters, digits, `-` and `_`. */
  name: string;
  profile: string;
  /** Joins without being heard. */
  muted?: boolean;
}

export type OriginateReply =
  /** The channel exists or existed: events report the rest. */
  | { kind: 'accepted'; replyText: string }
  /** The switch said no before any channel existed. `cause` is the switch's word, `DESTINATION_OUT_OF_ORDER`. */
  | { kind: 'refused'; replyText: string; cause: string }
  /** Certain: nothing was written. */
  | { kind: 'not_sent'; reason: 'deadline' | 'disconnected' | 'disabled' | 'unsafe'; replyText: string }
  /** Written, no answer in time: ask the switch. */
  | { kind: 'unknown'; replyText: string };

/** One channel in a conference. */
export interface ConferenceMember {
  channelUuid: string;
  /** The switch's number of it in this conference. */
  memberId: number;
  canSpeak: boolean;
  canHear: boolean;
}

interface ChannelEvent {
  cellId: string;
  requestId: string;
  /** UTC ms as the switch stamped it. */
  at: number;
  /** `<Core-UUID>:<Event-Sequence>`, the same at every instance: command id of what the event causes. */
  eventId: string;
}

export type SwitchEvent =
  | (ChannelEvent & { kind: 'channel_created' })
  | (ChannelEvent & { kind: 'ringing'; earlyMedia: boolean })
  | (ChannelEvent & { kind: 'answered' })
  | (ChannelEvent & {
      kind: 'hung_up';
      /** Hang-up cause of the switch, `USER_BUSY`. */
      cause: string;
      /** Who ended it, from `variable_sip_hangup_disposition`. */
      by: 'customer' | 'system' | null;
      /** UTC ms or null when never. */
      answeredAt: number | null;
      progressAt: number | null;
      /** Nothing ever came from the far end: no ringing, no answer, no refusal of its own. Absent: it did, or nobody can tell. */
      isSilent?: boolean;
    })
  | (Omit<ChannelEvent, 'requestId'> & {
      kind: 'conference';
      conferenceName: string;
      /** `recording_failed`: nothing is recorded, whatever the command's answer was. */
      action: 'created' | 'joined' | 'left' | 'changed' | 'destroyed' | 'recording_started' | 'recording_stopped' | 'recording_failed';
      /** Members after the change. */
      size: number;
      /** Null for what concerns the conference as a whole. */
      member: ConferenceMember | null;
    })
  | { kind: 'cell_up'; cellId: string; at: number /** New after each restart of the switch. */; coreUuid: string; restarted: boolean }
  | { kind: 'cell_down'; cellId: string; at: number; reason: string };

/**
 * Extensions, their registrations, and joining two channels: what agents need of the switch beside `SwitchPort`.
 *
 * Source: test/fixtures/esl/README.md §4 "show registrations", "uuid_bridge"
 */
export interface SwitchPhones {
  /**
   * The extensions that are registered at the cell now.
   *
   * Errors: SWITCH_UNAVAILABLE when the cell does not answer
   */
  registrations(cellId: string): Promise<Registration[]>;
  /**
   * Joins two answered channels: the end of either ends the other.
   *
   * Errors: SWITCH_UNAVAILABLE when the cell does not answer
   */
  bridge(cellId: string, firstUuid: string, secondUuid: string): Promise<'bridged' | 'absent'>;
  /** Calls `listener` when a phone has come or gone: a hint to read the registrations; the returned function stops it. */
  onRegistration(listener: (hint: { cellId: string }) => void): () => void;
}

export interface Registration {
  extension: string;
  realm: string;
}

export type MemberAction = 'mute' | 'unmute' | 'deaf' | 'undeaf' | 'hold' | 'unhold' | 'kick';

export type MemberRelation = { otherId: number; how: 'nospeak' } | { how: 'clear' };

/**
 * Control of conferences and of single legs at the switch.
 *
 * Errors: SWITCH_UNAVAILABLE when the cell does not answer; INVALID_ARGUMENT for a name or id that could be more than that
 * Source: test/fixtures/esl/README.md §4, recording d-conference-plain
 */
export interface ConferenceSwitch {
  /** Sends a live channel into a conference, whatever it does now. */
  join(cellId: string, channelUuid: string, place: ConferencePlace): Promise<'moved' | 'absent'>;
  /** Takes a live channel out of its conference and keeps it. */
  park(cellId: string, channelUuid: string): Promise<'moved' | 'absent'>;
  /** Members right now; null when there is no such conference. */
  members(cellId: string, conferenceName: string): Promise<readonly ConferenceMember[] | null>;
  change(cellId: string, conferenceName: string, memberId: number, action: MemberAction): Promise<'done' | 'absent'>;
  /** `nospeak`: `otherId` does not hear the member from now on; `clear`: whoever did not hear it does again. */
  relate(cellId: string, conferenceName: string, memberId: number, relation: MemberRelation): Promise<'done' | 'absent'>;
  /** Writes the conference to a file of the cell's recording folder; `null` stops. */
  record(cellId: string, conferenceName: string, fileName: string | null): Promise<'done' | 'absent'>;
  sendDigits(cellId: string, channelUuid: string, digits: string): Promise<'done' | 'absent'>;
}
