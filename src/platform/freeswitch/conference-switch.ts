import { CalloutError, invalidArgument } from '#kernel/errors.ts';
import type {
  ConferenceMember,
  ConferencePlace,
  ConferenceSwitch,
  EavesdropTarget,
  MemberAction,
  MemberRelation,
  SwitchEvent,
} from './switch.ts';
import { membersOf } from '#kernel/typed.ts';

/** Safe names of conferences and profiles: no character that ends a word, an argument or the application. */
const NAME = /^[A-Za-z0-9_-]{1,100}$/;
const CHANNEL_ID = /^[0-9a-zA-Z-]{1,64}$/;
const DIGITS = /^[0-9A-D*#]{1,64}$/;
const FILE = /^\/[A-Za-z0-9_./-]{1,250}$/;

/** Argument of the conference application, `room@default+flags{mute}`; null when a name is invalid. */
export function conferencePlace({ name, profile, muted = false }: ConferencePlace): string | null {
  if (!NAME.test(name) || !NAME.test(profile)) return null;
  return `${name}@${profile}${muted ? '+flags{mute}' : ''}`;
}

export function joinLine(channelUuid: string, place: ConferencePlace): string {
  const target = conferencePlace(place);
  if (target === null) throw unfit('conferenceName');
  return `uuid_transfer ${fit(CHANNEL_ID, channelUuid, 'uuid')} conference:${target} inline`;
}

/** Argument of the eavesdrop application; null when the uuid is invalid. */
export function eavesdropTarget({ channelUuid }: Pick<EavesdropTarget, 'channelUuid'>): string | null {
  return CHANNEL_ID.test(channelUuid) ? channelUuid : null;
}

/**
 * Variables of the listener's channel that decide who hears it.
 *
 * Why: by default the keys of the listener's phone would switch that, unseen and unaudited
 */
export function eavesdropVariables({ isHeard }: Pick<EavesdropTarget, 'isHeard'>): [name: string, value: string][] {
  return [
    ['eavesdrop_enable_dtmf', 'false'],
    ['eavesdrop_whisper_aleg', String(isHeard)],
    ['eavesdrop_whisper_bleg', String(isHeard)],
  ];
}

function eavesdropLines(channelUuid: string, target: EavesdropTarget): [variables: string, transfer: string] {
  const listener = fit(CHANNEL_ID, channelUuid, 'uuid');
  const to = fit(CHANNEL_ID, target.channelUuid, 'uuid');
  const variables = eavesdropVariables(target).map(pair => pair.join('='));
  return [`uuid_setvar_multi ${listener} ${variables.join(';')}`, `uuid_transfer ${listener} eavesdrop:${to} inline`];
}

function parkLine(channelUuid: string): string {
  return `uuid_transfer ${fit(CHANNEL_ID, channelUuid, 'uuid')} park inline`;
}

export function membersLine(conferenceName: string): string {
  return `conference ${fit(NAME, conferenceName, 'conferenceName')} json_list`;
}

export function memberLine(conferenceName: string, memberId: number, action: MemberAction): string {
  if (!Number.isSafeInteger(memberId) || memberId < 0) throw unfit('memberId');
  return `conference ${fit(NAME, conferenceName, 'conferenceName')} ${action} ${memberId}`;
}

/** With member 0 as the other, the command clears all relations of the first member. */
export function relateLine(conferenceName: string, memberId: number, relation: MemberRelation): string {
  const name = fit(NAME, conferenceName, 'conferenceName');
  const otherId = relation.how === 'clear' ? 0 : relation.otherId;
  if (![memberId, otherId].every(id => Number.isSafeInteger(id) && id >= 0)) throw unfit('memberId');
  return `conference ${name} relate ${memberId} ${otherId} ${relation.how}`;
}

/** A null `path` stops every recording of the conference. */
export function recordLine(conferenceName: string, path: string | null): string {
  const name = fit(NAME, conferenceName, 'conferenceName');
  return path === null ? `conference ${name} norecord all` : `conference ${name} record ${fit(FILE, path, 'path')}`;
}

export function digitsLine(channelUuid: string, digits: string): string {
  return `uuid_send_dtmf ${fit(CHANNEL_ID, channelUuid, 'uuid')} ${fit(DIGITS, digits, 'digits')}`;
}

function fit(shape: RegExp, text: string, field: string): string {
  if (!shape.test(text)) throw unfit(field);
  return text;
}

function unfit(field: string): CalloutError {
  return invalidArgument(field, 'wrongForm');
}

/** The conference or the member does not exist. */
function isAbsent(answer: string): boolean {
  return /^-ERR (Conference \S+ not found|Non-Existant ID|relationship \S+ not found|No such channel|Cannot locate session)/.test(answer);
}

/** The recording was requested again while it is running. */
export function isRecordedAlready(answer: string): boolean {
  return /^-ERR file \[\S+\] is already being used for recording/.test(answer);
}

/**
 * Parses the members from the reply to `json_list`; undefined when unreadable.
 *
 * Shape: null when the conference does not exist
 * Source: recording d-conference-plain
 */
export function parseMembers(answer: string): readonly ConferenceMember[] | null | undefined {
  if (isAbsent(answer)) return null;
  const [room] = parseList(answer);
  if (room === undefined) return answer.trim() === '[]' ? null : undefined;
  return parseObjects(room['members']).flatMap(member => {
    const { uuid, id } = member;
    const flags = membersOf(member['flags']);
    if (typeof uuid !== 'string' || typeof id !== 'number') return [];
    return [{ channelUuid: uuid, memberId: id, canSpeak: flags['can_speak'] !== false, canHear: flags['can_hear'] !== false }];
  });
}

function parseList(text: string): Record<string, unknown>[] {
  try {
    return parseObjects(JSON.parse(text));
  } catch {
    return []; // the caller reports the cell as unavailable
  }
}

function parseObjects(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null) : [];
}

type ConferenceFact = Extract<SwitchEvent, { kind: 'conference' }>;

/** Limit of tracked recordings per switch, far above its number of conferences. */
const MAX_RUNNING = 2_000;

/**
 * Detects failed recordings: one that ends at the instant at which it started has written nothing.
 *
 * Source: test/fixtures/esl/README.md §1a
 */
export class RecordingWatch {
  readonly #startedAt = new Map<string, number>();

  judge(fact: ConferenceFact): ConferenceFact {
    const { action, conferenceName, at } = fact;
    if (action === 'recording_started') this.#remember(conferenceName, at);
    if (action !== 'recording_stopped') return fact;
    const startedAt = this.#startedAt.get(conferenceName);
    this.#startedAt.delete(conferenceName);
    return startedAt === at ? { ...fact, action: 'recording_failed' } : fact;
  }

  /** Evicts the oldest entry when full. */
  #remember(conferenceName: string, at: number): void {
    const [oldest] = this.#startedAt.keys();
    if (oldest !== undefined && this.#startedAt.size >= MAX_RUNNING) this.#startedAt.delete(oldest);
    this.#startedAt.set(conferenceName, at);
  }
}

interface ConferenceSwitchOptions {
  /** Errors: SWITCH_UNAVAILABLE */
  api: (cellId: string, line: string) => Promise<string>;
  /** Absolute path of the cell's recording folder. */
  recordingFolder: (cellId: string) => string;
}

/** Conferences over the Event Socket. Every success text is checked; an unknown reply counts as a failure of the cell. */
export function conferenceSwitch({ api, recordingFolder }: ConferenceSwitchOptions): ConferenceSwitch {
  const run = async <T>(cellId: string, line: string, done: T): Promise<T | 'absent'> => {
    const answer = await api(cellId, line);
    if (answer.startsWith('+OK') || answer.startsWith('Stopped recording') || isRecordedAlready(answer)) return done;
    if (isAbsent(answer)) return 'absent';
    throw unexpected(cellId);
  };
  return {
    join: (cellId, channelUuid, place) => run(cellId, joinLine(channelUuid, place), 'moved'),
    park: (cellId, channelUuid) => run(cellId, parkLine(channelUuid), 'moved'),
    async members(cellId, conferenceName) {
      const members = parseMembers(await api(cellId, membersLine(conferenceName)));
      if (members === undefined) throw unexpected(cellId);
      return members;
    },
    change: (cellId, conferenceName, memberId, action) => run(cellId, memberLine(conferenceName, memberId, action), 'done'),
    relate: (cellId, conferenceName, memberId, relation) => run(cellId, relateLine(conferenceName, memberId, relation), 'done'),
    record: (cellId, conferenceName, fileName) =>
      run(cellId, recordLine(conferenceName, fileName === null ? null : `${recordingFolder(cellId)}/${fileName}`), 'done'),
    async eavesdrop(cellId, channelUuid, target) {
      const [variables, transfer] = eavesdropLines(channelUuid, target);
      const isThere = (await run(cellId, variables, true)) === true;
      return isThere ? run(cellId, transfer, 'moved') : 'absent';
    },
    sendDigits: (cellId, channelUuid, digits) => run(cellId, digitsLine(channelUuid, digits), 'done'),
  };
}

function unexpected(cellId: string): CalloutError {
  return new CalloutError('SWITCH_UNAVAILABLE', `交换机 ${cellId} 未执行该命令，请稍后重试`);
}
