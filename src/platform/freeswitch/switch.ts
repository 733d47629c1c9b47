/**
 * The telephony switch as operations use it: cells that execute originates and report channel events.
 * The channel uuid at the switch equals the attempt's `requestId`.
 *
 * Source: A6, A10, test/fixtures/esl/README.md
 */
export interface SwitchPort {
  /**
   * Sends one originate to the cell, at most once. Never rejects: the outcome is in the reply.
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
   * The channel's exact current state, independent of missed events.
   *
   * Errors: SWITCH_UNAVAILABLE when the cell does not answer
   */
  probe(cellId: string, requestId: string): Promise<ChannelState>;
  /**
   * The channels that the cell lists (`show channels`, up to 300 ms old): they suggest which channels to probe, but prove nothing.
   *
   * Errors: SWITCH_UNAVAILABLE when the cell does not answer
   */
  channels(cellId: string): Promise<ListedChannel[]>;
  /**
   * Plays the configured apology to the channel and hangs up.
   *
   * Errors: SWITCH_UNAVAILABLE when the cell does not answer
   */
  dismiss(cellId: string, requestId: string): Promise<'dismissed' | 'absent'>;
  /**
   * Sets channel variables that `{}` cannot carry (D4.5). No effect on an unknown channel.
   *
   * Errors: SWITCH_UNAVAILABLE when the cell does not answer
   */
  setVariables(cellId: string, requestId: string, variables: Readonly<Record<string, string>>): Promise<void>;
  /** Domain that a gateway of the cell puts into the From header; null when unknown or when the cell does not answer. Source: D4.4 */
  gatewayDomain(cellId: string, gateway: string): Promise<string | null>;
  /** Status of a gateway of the cell, at most seconds old. */
  gatewayStatus(cellId: string, gateway: string): Promise<GatewayStatus>;
  /** State of every configured cell. */
  cells(): readonly CellState[];
  /** Calls `listener` synchronously with every event, in the order read; the returned function unsubscribes. */
  subscribe(listener: (event: SwitchEvent) => void): () => void;
}

export interface CellsPart {
  /** Ids of the configured cells. */
  cellIds: ReadonlySet<string>;
}

export interface PhonesPart {
  phones: SwitchPhones;
}

export interface RoomsPart {
  rooms: ConferenceSwitch;
}

export interface CellState {
  cellId: string;
  isEnabled: boolean;
  /** `up` only while both sockets are authenticated and subscribed. */
  state: (typeof CELL_STATES)[number];
  /** UTC ms of the last change of `state`. */
  since: number;
  /** Why the latest connection attempt failed; absent while it is up. */
  fault?: CellFault | undefined;
  maxConcurrency: number;
  maxOriginatesPerSecond: number;
}

/**
 * `registered`: registered with the carrier; `open`: needs no registration; `trying`: registration in progress; `failed`: the carrier refuses
 * it or does not answer; `missing`: the switch has no such gateway; `unknown`: the cell does not answer.
 */
export const GATEWAY_STATES = ['registered', 'open', 'trying', 'failed', 'missing', 'unknown'] as const;

export interface GatewayStatus {
  state: (typeof GATEWAY_STATES)[number];
  /** UTC ms; as reported by the switch, otherwise when it was first seen here. */
  since: number;
  /** The switch's own status, such as `FAIL_WAIT`; null when it gave none. */
  detail: string | null;
}

/** `auth_refused`: wrong password; `acl_refused`: our address is not on the switch's access list. */
export type CellFault = 'auth_refused' | 'acl_refused' | 'shutting_down' | 'unreachable';

/** `ringing` covers every unanswered channel. `answeredAt`: UTC ms by the clock of the switch. */
export type ChannelState = { kind: 'absent' } | { kind: 'ringing' } | { kind: 'answered'; answeredAt: number };

export interface ListedChannel {
  uuid: string;
  /** The channel has been answered. */
  isAnswered: boolean;
  /** The channel is in a conference. */
  isInConference: boolean;
}

export interface OriginateCommand {
  cellId: string;
  requestId: string;
  /** Contains `{{destinationNumber}}` exactly once; CR, LF and NUL are refused. */
  dialStringTemplate: string;
  /** Only `+`, digits, `*`, `#` (phone-numbers/phone-number). */
  destinationNumber: string;
  callerIdNumber: string | null;
  callerIdName: string | null;
  callerIdHeaderMode: 'caller_id_only' | 'p_preferred_identity' | 'from_and_p_preferred_identity';
  timeoutSeconds: number;
  /** Names already filtered (D4.5), values verbatim; the adapter escapes them or sets them later. */
  variables: Readonly<Record<string, string>>;
  /** Extension behind the number: digits, `*` and `#` that are sent once it has answered. Absent or empty: none. */
  digitsAfterAnswer?: string;
  /** Conference that the answered leg joins; absent: the leg is parked. */
  conference?: ConferencePlace;
  /** Channel that the answered leg listens to, in place of a conference. */
  eavesdrop?: EavesdropTarget;
  /** Monotonic clock instant after which nothing may be sent (send deadline, A6 step 6). */
  sendBefore: number;
}

export interface ConferencePlace {
  /** Letters, digits, `-` and `_`. */
  name: string;
  profile: string;
  /** Joins muted. */
  muted?: boolean;
}

export interface EavesdropTarget {
  channelUuid: string;
  /** Whether the parties of the channel hear the listener. */
  isHeard: boolean;
}

export type OriginateReply =
  /** The channel exists or existed: events report its further course. */
  | { kind: 'accepted'; replyText: string }
  /** The switch refused before a channel existed. `cause` is the switch's, such as `DESTINATION_OUT_OF_ORDER`. */
  | { kind: 'refused'; replyText: string; cause: string }
  /** It is certain that nothing was sent. */
  | { kind: 'not_sent'; reason: 'deadline' | 'disconnected' | 'disabled' | 'unsafe'; replyText: string }
  /** Sent, but no reply in time: probe the switch. */
  | { kind: 'unknown'; replyText: string };

/** A channel in a conference. */
export interface ConferenceMember {
  channelUuid: string;
  /** Member id that the switch gave the channel in this conference. */
  memberId: number;
  canSpeak: boolean;
  canHear: boolean;
}

interface ChannelEvent {
  cellId: string;
  requestId: string;
  /** UTC ms, timestamp of the switch. */
  at: number;
  /** `<Core-UUID>:<Event-Sequence>`, identical at every instance: command id of the resulting events. */
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
      /** The side that hung up, from `variable_sip_hangup_disposition`. */
      by: 'customer' | 'system' | null;
      /** UTC ms; null when never. */
      answeredAt: number | null;
      progressAt: number | null;
      /** UTC ms; audio before the answer. */
      mediaAt?: number | null;
      /** Final SIP response of the far end; absent or null when it sent none. */
      sipStatus?: string | null;
      q850?: number | null;
      /** The far end never responded: no ringing, no answer, no refusal of its own. Absent: it did, or it is unknown. */
      isSilent?: boolean;
    })
  | (Omit<ChannelEvent, 'requestId'> & {
      kind: 'conference';
      conferenceName: string;
      /** `recording_failed`: nothing is recorded, even if the command succeeded. */
      action: 'created' | 'joined' | 'left' | 'changed' | 'destroyed' | 'recording_started' | 'recording_stopped' | 'recording_failed';
      /** Number of members after the change. */
      size: number;
      /** Null when the event concerns the whole conference. */
      member: ConferenceMember | null;
    })
  /** `coreUuid` changes with each restart of the switch. */
  | { kind: 'cell_up'; cellId: string; at: number; coreUuid: string; restarted: boolean }
  | { kind: 'cell_down'; cellId: string; at: number; reason: string };

/**
 * Extensions, their registrations and bridging: functions of the switch that agents need in addition to `SwitchPort`.
 *
 * Source: test/fixtures/esl/README.md §4 "show registrations", "uuid_bridge"
 */
export interface SwitchPhones {
  /**
   * The extensions currently registered at the cell.
   *
   * Errors: SWITCH_UNAVAILABLE when the cell does not answer
   */
  registrations(cellId: string): Promise<Registration[]>;
  /**
   * Bridges two answered channels: when one ends, so does the other.
   *
   * Errors: SWITCH_UNAVAILABLE when the cell does not answer
   */
  bridge(cellId: string, firstUuid: string, secondUuid: string): Promise<'bridged' | 'absent'>;
  /**
   * Keeps the cell open to REGISTER and INVITE for so long; then, unless some server renews it, the cell tells phones to retry later.
   * A cell that is not configured for this stays as it is.
   *
   * Errors: SWITCH_UNAVAILABLE when the cell does not answer
   */
  attend(cellId: string, seconds: number): Promise<void>;
  /** Calls `listener` when a phone registers or unregisters, as a hint to read the registrations; the returned function unsubscribes. */
  onRegistration(listener: (hint: { cellId: string }) => void): () => void;
}

export interface Registration {
  extension: string;
  realm: string;
}

export type MemberAction = 'mute' | 'unmute' | 'deaf' | 'undeaf' | 'hold' | 'unhold' | 'kick';

export type MemberRelation = { otherId: number; how: 'nospeak' } | { how: 'clear' };

/**
 * Control of conferences and individual legs at the switch.
 *
 * Errors: SWITCH_UNAVAILABLE when the cell does not answer; INVALID_ARGUMENT for a name or id with unsafe characters
 * Source: test/fixtures/esl/README.md §4, recording d-conference-plain
 */
export interface ConferenceSwitch {
  /** Moves a live channel into a conference, whatever it is doing. */
  join(cellId: string, channelUuid: string, place: ConferencePlace): Promise<'moved' | 'absent'>;
  /** Takes a live channel out of its conference and parks it. */
  park(cellId: string, channelUuid: string): Promise<'moved' | 'absent'>;
  /** Current members; null when there is no such conference. */
  members(cellId: string, conferenceName: string): Promise<readonly ConferenceMember[] | null>;
  change(cellId: string, conferenceName: string, memberId: number, action: MemberAction): Promise<'done' | 'absent'>;
  /** `nospeak`: `otherId` no longer hears the member; `clear`: everyone hears the member again. */
  relate(cellId: string, conferenceName: string, memberId: number, relation: MemberRelation): Promise<'done' | 'absent'>;
  /** Records the conference to a file in the cell's recording folder; `null` stops recording. */
  record(cellId: string, conferenceName: string, fileName: string | null): Promise<'done' | 'absent'>;
  /** Has a live channel listen to another one, whatever it is doing; it ends with the other. */
  eavesdrop(cellId: string, channelUuid: string, target: EavesdropTarget): Promise<'moved' | 'absent'>;
  sendDigits(cellId: string, channelUuid: string, digits: string): Promise<'done' | 'absent'>;
}

export const CELL_STATES = ['connecting', 'up', 'down'] as const;
