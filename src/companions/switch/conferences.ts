import type { Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Channel } from './channel.ts';
import { channelHeaders } from './channel-event.ts';
import { type Member, memberHeaders, parsePlace, type Room, roomHeaders } from './conference-room.ts';
import type { OutgoingEvent } from './frames.ts';

/** What conferences do to the switch. */
export interface ConferenceSide {
  clock: Clock;
  ids: IdSource;
  emit(name: string, headers: OutgoingEvent['headers']): void;
  kill(channel: Channel, cause: string): void;
}

/** A played file is over after this, ms. */
const PLAY_MS = 300;
/** The end of a conference is told this much after its last member has left. */
const DESTROY_LAG_MS = 20;

/**
 * The conferences of a simulated switch: who is in which, and what is told of it.
 *
 * Source: recording d-conference-plain, fixtures/esl/README.md §4
 */
export class Conferences {
  readonly rooms = new Map<string, Room>();
  readonly #side: ConferenceSide;
  #lastMemberId = 0;

  constructor(side: ConferenceSide) {
    this.#side = side;
  }

  /** Puts a channel into the conference that `text` names, creating it; a full one hangs up. */
  join(channel: Channel, text: string): void {
    const place = parsePlace(text);
    if (place === null) return this.#side.kill(channel, 'DESTINATION_OUT_OF_ORDER');
    this.leave(channel);
    const room = this.rooms.get(place.name) ?? this.#create(place.name, place.profile);
    this.#lastMemberId += 1;
    if (room.maxMembers > 0 && room.members.size >= room.maxMembers) return this.#side.kill(channel, 'NORMAL_CLEARING');
    const member: Member = {
      id: this.#lastMemberId,
      channel,
      canSpeak: !place.flags.has('mute'),
      canHear: !place.flags.has('deaf'),
      isModerator: place.flags.has('moderator'),
      isOnHold: false,
      joinedAt: this.#side.clock.now(),
    };
    this.#add(room, member);
  }

  /** Takes a channel out of its conference, as its end, its transfer or a kick does. */
  leave(channel: Channel): void {
    const found = this.find(channel);
    if (found === null) return;
    const { room, member } = found;
    room.members.delete(member.id);
    this.tell(room, 'del-member', member);
    if (room.members.size > 0) return;
    this.rooms.delete(room.name);
    this.#side.clock.schedule(DESTROY_LAG_MS, () => this.tell(room, 'conference-destroy'));
  }

  /** Sends a member on to another conference, under its own id. */
  transfer(room: Room, member: Member, to: string): void {
    this.tell(room, 'transfer', member);
    this.leave(member.channel);
    this.#add(this.rooms.get(to) ?? this.#create(to, room.profile), member);
  }

  play(room: Room, file: string): boolean {
    this.tell(room, 'play-file', undefined, [['File', file]]);
    const exists = !file.startsWith('/nope');
    if (exists) this.#side.clock.schedule(PLAY_MS, () => this.tell(room, 'play-file-done', undefined, [['File', file]]));
    return exists;
  }

  find(channel: Channel): { room: Room; member: Member } | null {
    for (const room of this.rooms.values()) {
      for (const member of room.members.values()) if (member.channel === channel) return { room, member };
    }
    return null;
  }

  tell(room: Room, action: string, member?: Member, more: OutgoingEvent['headers'] = []): void {
    const about = member === undefined ? [] : [...channelHeaders(member.channel, 'CUSTOM', false), ...memberHeaders(member)];
    this.#side.emit('CUSTOM', [...roomHeaders(room), ...about, ...more, ['Action', action]]);
  }

  kill(channel: Channel): void {
    this.#side.kill(channel, 'NORMAL_CLEARING');
  }

  newId(): string {
    return this.#side.ids();
  }

  get now(): number {
    return this.#side.clock.now();
  }

  #create(name: string, profile: string): Room {
    const room: Room = {
      name,
      profile,
      uuid: this.#side.ids(),
      createdAt: this.#side.clock.now(),
      members: new Map(),
      isLocked: false,
      maxMembers: 0,
      recording: null,
    };
    this.rooms.set(name, room);
    this.tell(room, 'conference-create');
    return room;
  }

  #add(room: Room, member: Member): void {
    room.members.set(member.id, member);
    this.tell(room, 'add-member', member);
  }
}
