import { causeOf } from '#protocol/call-status.ts';
import { endedBy, isSilentEnd } from './channel-end.ts';
import { type EslEvent, header } from './esl-codec.ts';
import type { SwitchEvent } from './switch.ts';

const REGISTRATION_EVENTS = new Set(['sofia::register', 'sofia::unregister', 'sofia::expire']);

/** Whether a phone has registered or unregistered. */
export function isRegistration(event: EslEvent): boolean {
  return event.name === 'CUSTOM' && REGISTRATION_EVENTS.has(header(event, 'Event-Subclass') ?? '');
}

type ConferenceFact = Extract<SwitchEvent, { kind: 'conference' }>;
type ChannelFact = Extract<SwitchEvent, { requestId: string }>;
type Common = Pick<ChannelFact, 'cellId' | 'requestId' | 'at' | 'eventId'>;

/**
 * Maps a decoded event to a switch event; null when the port has no use for it.
 *
 * Why:    matches by Unique-ID only: caller id and destination change during a call, and the other leg of a loopback carries our variables, too.
 *         The switch does not guarantee the order of events, so each is interpreted independently
 * Source: test/fixtures/esl/README.md §2, §3
 */
export function toSwitchEvent(cellId: string, event: EslEvent): ChannelFact | ConferenceFact | null {
  if (event.name === 'CUSTOM' && header(event, 'Event-Subclass') === 'conference::maintenance') return conferenceFact(cellId, event);
  const common = commonOf(cellId, event);
  if (common === null) return null;
  switch (event.name) {
    case 'CHANNEL_CREATE':
      return { ...common, kind: 'channel_created' };
    case 'CHANNEL_PROGRESS':
      return { ...common, kind: 'ringing', earlyMedia: false };
    case 'CHANNEL_PROGRESS_MEDIA':
      return { ...common, kind: 'ringing', earlyMedia: true };
    case 'CHANNEL_ANSWER':
      return { ...common, kind: 'answered' };
    case 'CHANNEL_HANGUP_COMPLETE':
      return hangUpOf(common, event);
    default:
      return null;
  }
}

function commonOf(cellId: string, event: EslEvent): Common | null {
  const requestId = header(event, 'Unique-ID');
  const [core, sequence] = [header(event, 'Core-UUID'), header(event, 'Event-Sequence')];
  const at = instant(event, 'Event-Date-Timestamp');
  if (requestId === null || core === null || sequence === null || at === null) return null;
  return { cellId, requestId, at, eventId: `${core}:${sequence}` };
}

const CONFERENCE_ACTIONS: Readonly<Record<string, ConferenceFact['action']>> = {
  'conference-create': 'created',
  'add-member': 'joined',
  'del-member': 'left',
  'mute-member': 'changed',
  'unmute-member': 'changed',
  'deaf-member': 'changed',
  'undeaf-member': 'changed',
  'conference-destroy': 'destroyed',
  'start-recording': 'recording_started',
  'stop-recording': 'recording_stopped',
};

/** Source: test/fixtures/esl/README.md §4 "Conference events" */
function conferenceFact(cellId: string, event: EslEvent): ConferenceFact | null {
  const name = header(event, 'Action') ?? '';
  const action = Object.hasOwn(CONFERENCE_ACTIONS, name) ? CONFERENCE_ACTIONS[name] : undefined;
  const conferenceName = header(event, 'Conference-Name');
  const [core, sequence] = [header(event, 'Core-UUID'), header(event, 'Event-Sequence')];
  const at = instant(event, 'Event-Date-Timestamp');
  const size = Number(header(event, 'Conference-Size'));
  if (action === undefined || conferenceName === null || core === null || sequence === null || at === null) return null;
  const member = memberOf(event);
  return {
    kind: 'conference',
    cellId,
    conferenceName,
    action: isFailure(action, event) ? 'recording_failed' : action,
    size: Number.isInteger(size) ? size : 0,
    member,
    at,
    eventId: `${core}:${sequence}`,
  };
}

/** When a file cannot be opened, the switch reports the start with an error, and a stop without samples. */
function isFailure(action: ConferenceFact['action'], event: EslEvent): boolean {
  if (action === 'recording_started') return header(event, 'Error') !== null;
  return action === 'recording_stopped' && header(event, 'Samples-Out') === '0';
}

function memberOf(event: EslEvent): ConferenceFact['member'] {
  const [channelUuid, memberId] = [header(event, 'Unique-ID'), Number(header(event, 'Member-ID'))];
  if (channelUuid === null || !Number.isInteger(memberId)) return null;
  return { channelUuid, memberId, canSpeak: header(event, 'Speak') !== 'false', canHear: header(event, 'Hear') !== 'false' };
}

function hangUpOf(common: Common, event: EslEvent): ChannelFact {
  const told = header(event, 'Hangup-Cause') ?? header(event, 'variable_hangup_cause') ?? 'NONE';
  const cause = causeOf(told, header(event, 'variable_sip_term_status'));
  const [ringing, media] = [instant(event, 'Caller-Channel-Progress-Time'), instant(event, 'Caller-Channel-Progress-Media-Time')];
  const end = {
    cause,
    disposition: header(event, 'variable_sip_hangup_disposition'),
    replyHost: header(event, 'variable_sip_reply_host'),
    answeredAt: instant(event, 'Caller-Channel-Answered-Time'),
    progressAt: ringing !== null && media !== null ? Math.min(ringing, media) : (ringing ?? media),
  };
  const { answeredAt, progressAt } = end;
  return {
    ...common,
    kind: 'hung_up',
    cause,
    by: endedBy(end),
    answeredAt,
    progressAt,
    mediaAt: media,
    sipStatus: header(event, 'variable_sip_term_status'),
    q850: q850Of(event),
    ...(isSilentEnd(end) ? { isSilent: true } : {}),
  };
}

/** Null when the far end gave none. */
function q850Of(event: EslEvent): number | null {
  const cause = Number(header(event, 'variable_hangup_cause_q850') ?? 0);
  return Number.isInteger(cause) && cause > 0 ? cause : null;
}

/** Microseconds to UTC ms; 0 means never. */
function instant(event: EslEvent, name: string): number | null {
  const micros = Number(header(event, name) ?? 0);
  return Number.isSafeInteger(micros) && micros > 0 ? Math.floor(micros / 1_000) : null;
}

/** Results of `bgapi originate` for which the switch creates no channel. */
const LOCAL_REFUSALS: ReadonlySet<string> = new Set([
  'DESTINATION_OUT_OF_ORDER',
  'INVALID_GATEWAY',
  'INVALID_PROFILE',
  'INVALID_URL',
  'GATEWAY_DOWN',
  'USER_NOT_REGISTERED',
  'SUBSCRIBER_ABSENT',
  'CHAN_NOT_IMPLEMENTED',
  'NO_ROUTE_DESTINATION',
  'INVALID_MSG_UNSPECIFIED',
]);

/** Cause reported for `-USAGE:` and for a command that the switch does not accept. */
export const MALFORMED = 'INVALID_MSG_UNSPECIFIED';

/** Result of a finished `originate` job. */
type JobResult =
  /** A channel was answered (or, without ignore_early_media, has early media). */
  { kind: 'channel'; uuid: string } | { kind: 'failed'; cause: string };

/**
 * Parses the BACKGROUND_JOB body of an originate.
 *
 * Source: test/fixtures/esl/README.md §3
 */
export function parseJobResult(body: string): JobResult {
  const text = body.trim();
  const uuid = /^\+OK (\S+)$/.exec(text)?.[1];
  if (uuid !== undefined) return { kind: 'channel', uuid };
  return { kind: 'failed', cause: /^-ERR ([A-Z0-9_]+)$/.exec(text)?.[1] ?? MALFORMED };
}

/**
 * Whether a failed job without CHANNEL_CREATE proves that no channel existed.
 *
 * Why:    USER_BUSY or NO_ANSWER without CHANNEL_CREATE means that the event was lost: a phone did ring
 * Source: test/fixtures/esl/README.md §7.12
 */
export function isLocalRefusal(cause: string): boolean {
  return LOCAL_REFUSALS.has(cause);
}
