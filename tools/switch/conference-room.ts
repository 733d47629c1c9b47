import type { Cancel } from '#kernel/clock.ts';
import type { Channel } from './channel.ts';
import { secondsText } from './clock-ticks.ts';
import type { Tape } from './media/tape.ts';

/** Relation to one other member: `noSpeak` keeps this member's speech from it, `noHear` its speech from this member. */
export interface Relation {
  noSpeak: boolean;
  noHear: boolean;
}

/** One channel in a conference, with the flags that the recordings show. */
export interface Member {
  id: number;
  channel: Channel;
  canSpeak: boolean;
  canHear: boolean;
  isModerator: boolean;
  isOnHold: boolean;
  isTalking: boolean;
  /** Relations set by `relate`, by the other member's id. */
  relations: Map<number, Relation>;
  joinedAt: number;
}

/** File into which a conference is recorded. */
export interface Recording {
  path: string;
  startedAt: number;
  /** False between the command and its execution. */
  isRunning: boolean;
  /** The sound of its members; null until it runs. */
  tape: Tape | null;
}

/** A conference from its first member to its last. */
export interface Room {
  name: string;
  profile: string;
  /** New each time the conference is created, even under the same name. */
  uuid: string;
  createdAt: number;
  /** In the order of joining. */
  members: Map<number, Member>;
  isLocked: boolean;
  /** 0: unlimited. */
  maxMembers: number;
  /** By path. */
  recordings: Map<string, Recording>;
  /** Id of the member that holds the floor. */
  floor: number | null;
  /** Stops its talk. */
  cancelChatter: Cancel;
}

/**
 * Whether one member hears another, given the flags and relations of both.
 *
 * Source: mod_conference.c, "when there are relationships"; conference_member.c, a member on hold
 */
export function hears(listener: Member, speaker: Member): boolean {
  if (listener === speaker || !listener.canHear || !speaker.canSpeak || listener.isOnHold || speaker.isOnHold) return false;
  return speaker.relations.get(listener.id)?.noSpeak !== true && listener.relations.get(speaker.id)?.noHear !== true;
}

/** Target of a `conference` application: `room1@default+flags{mute|moderator}`. */
export interface Place {
  name: string;
  profile: string;
  flags: ReadonlySet<string>;
}

const PLACE = /^([^@+]+)(?:@([^+]+))?(?:\+flags\{([^}]*)\})?$/;

export function parsePlace(text: string): Place | null {
  const [, name, profile = 'default', flags = ''] = PLACE.exec(text) ?? [];
  return name === undefined ? null : { name, profile, flags: new Set(flags.split('|').filter(flag => flag !== '')) };
}

/** Members as the lists order them: the newest first. Source: recording d-conference-plain */
export function newestFirst(room: Room): Member[] {
  return [...room.members.values()].toReversed();
}

/** A room in the format of `conference NAME json_list`. Source: recording d-conference-plain */
export function roomAsJson(room: Room, now: number) {
  return {
    conference_name: room.name,
    member_count: room.members.size,
    ghost_count: 0,
    rate: 8_000,
    run_time: Math.floor((now - room.createdAt) / 1_000),
    conference_uuid: room.uuid,
    locked: room.isLocked,
    running: true,
    answered: true,
    enforce_min: true,
    dynamic: true,
    recording: room.recordings.size > 0,
    variables: {},
    members: membersAsJson(room, now),
  };
}

/** An active recording is listed as a member without uuid. Source: test/fixtures/esl/README.md §1a "rooms" */
function membersAsJson(room: Room, now: number): unknown[] {
  const running = [...room.recordings.values()].filter(recording => recording.isRunning).toReversed();
  const nodes = running.map(({ path, startedAt }) => ({
    type: 'recording_node',
    record_path: path,
    join_time: Number(secondsText(startedAt)),
  }));
  return [...nodes, ...newestFirst(room).map(member => memberAsJson(room, member, now))];
}

function memberAsJson(room: Room, member: Member, now: number) {
  const { id, channel, canSpeak, canHear, isModerator, isOnHold, isTalking, joinedAt } = member;
  return {
    type: 'caller',
    id,
    flags: {
      can_hear: canHear,
      can_see: true,
      can_speak: canSpeak,
      hold: isOnHold,
      talking: isTalking,
      has_floor: room.floor === id,
      is_moderator: isModerator,
    },
    uuid: channel.uuid,
    caller_id_name: 'Outbound Call',
    caller_id_number: channel.number,
    join_time: Math.floor((now - joinedAt) / 1_000),
    last_talking: 0,
    energy: 100,
    volume_in: 0,
    volume_out: 0,
  };
}

/** A line of `conference NAME list`. */
export function memberLine({ id, channel, canSpeak, canHear }: Member, hasFloor: boolean): string {
  const flags = [canHear ? 'hear' : '', canSpeak ? 'speak' : '', hasFloor ? 'floor' : ''].filter(flag => flag !== '').join('|');
  return `${id};${channel.channelName};${channel.uuid};Outbound Call;${channel.number};${flags};0;0;100\n`;
}

/** Headers of `conference::maintenance` for every action, followed by the member's. */
export function roomHeaders(room: Room, size = room.members.size): (readonly [string, string])[] {
  return [
    ['Event-Subclass', 'conference::maintenance'],
    ['Conference-Name', room.name],
    ['Conference-Domain', '127.0.0.1'],
    ['Conference-Size', String(size)],
    ['Conference-Ghosts', '0'],
    ['Conference-Profile-Name', room.profile],
    ['Conference-Unique-ID', room.uuid],
  ];
}

export function memberHeaders(room: Room, member: Member): (readonly [string, string])[] {
  return [
    ['Floor', String(room.floor === member.id)],
    ['Video', 'false'],
    ['Hear', String(member.canHear)],
    ['See', 'true'],
    ['Speak', String(member.canSpeak)],
    ['Talking', String(member.isTalking)],
    ['Mute-Detect', 'false'],
    ['Hold', String(member.isOnHold)],
    ['Member-ID', String(member.id)],
    ['Member-Type', member.isModerator ? 'moderator' : 'member'],
    ['Member-Ghost', 'false'],
    ['Energy-Level', '100'],
    ['Current-Energy', member.isTalking ? '900' : '0'],
  ];
}
