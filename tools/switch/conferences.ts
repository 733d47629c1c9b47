import type { Clock } from '#kernel/clock.ts';
import type { IdSource } from '#kernel/ids.ts';
import type { Random } from '#kernel/random.ts';
import type { Channel } from './channel.ts';
import { channelHeaders } from './channel-event.ts';
import { Chatter } from './conference-chatter.ts';
import { Recordings } from './conference-recordings.ts';
import { hears, type Member, memberHeaders, parsePlace, type Room, roomHeaders } from './conference-room.ts';
import { BARE, type Padding } from './event-padding.ts';
import type { OutgoingEvent } from './frames.ts';
import type { SwitchSound } from './media/switch-sound.ts';
import type { RecordingFolder } from './recording-folder.ts';
import type { Troubles } from './troubles.ts';

/** Operations of the switch that conferences need. */
export interface ConferenceSide {
  readonly options: {
    clock: Clock;
    timing: Random;
    ids: IdSource;
    troubles: Troubles;
    recordingFolder: RecordingFolder;
    sound: SwitchSound;
  };
  emit(name: string, headers: OutgoingEvent['headers'], more?: { padding?: Padding }): void;
  /** Called when a party joins or leaves a channel. */
  companyChanged(channel: Channel): void;
  kill(channel: Channel, cause: string): void;
}

/** Duration of a played file, in ms. */
const PLAY_MS = 300;
/** Delay of the destroy event after the last member has left, in ms. */
const DESTROY_LAG_MS = 20;

/**
 * The conferences of a simulated switch: their members and events.
 *
 * Source: recording d-conference-plain, test/fixtures/esl/README.md §1a, §4
 */
export class Conferences {
  readonly rooms = new Map<string, Room>();
  readonly recordings: Recordings;
  readonly #side: ConferenceSide;
  readonly #chatter: Chatter;
  readonly #places = new Map<Channel, { room: Room; member: Member }>();
  #lastMemberId = 0;

  constructor(side: ConferenceSide) {
    this.#side = side;
    const { clock, timing, ids, troubles, recordingFolder, sound } = side.options;
    this.#chatter = new Chatter({ clock, random: timing, tell: (room, action, member, more) => this.tell(room, action, member, more) });
    this.recordings = new Recordings({
      clock,
      random: timing,
      ids,
      troubles,
      folder: recordingFolder,
      sound,
      tell: (room, action, more) => this.tell(room, action, undefined, more),
    });
  }

  /** Puts a channel into the conference that `text` names, creating it if necessary; a full conference hangs up. */
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
      isTalking: false,
      relations: new Map(),
      joinedAt: this.now,
    };
    this.#add(room, member);
  }

  /** Removes a channel from its conference because it ends, is transferred or is kicked. */
  leave(channel: Channel): void {
    const found = this.#places.get(channel);
    if (found === undefined) return;
    const { room, member } = found;
    this.#chatter.leaving(room, member);
    this.#places.delete(channel);
    room.members.delete(member.id);
    member.relations.clear();
    this.tell(room, 'del-member', member);
    this.#companyChanged(room, channel);
    if (room.members.size === 0) this.#end(room);
  }

  /** Moves a member to another conference; it keeps its id. */
  transfer(room: Room, member: Member, to: string): void {
    this.tell(room, 'transfer', member);
    this.leave(member.channel);
    this.#add(this.rooms.get(to) ?? this.#create(to, room.profile), member);
  }

  play(room: Room, file: string): boolean {
    this.tell(room, 'play-file', undefined, [['File', file]]);
    const exists = !file.startsWith('/nope');
    if (exists) this.#side.options.clock.schedule(PLAY_MS, () => this.tell(room, 'play-file-done', undefined, [['File', file]]));
    return exists;
  }

  /** Uuids of the channels that hear this one. */
  hearersOf(channel: Channel): string[] {
    const place = this.#places.get(channel);
    const others = [...(place?.room.members.values() ?? [])];
    return place ? others.filter(other => hears(other, place.member)).map(other => other.channel.uuid) : [];
  }

  /** Channels that this one hears in its conference. */
  heardBy(channel: Channel): Channel[] {
    const place = this.#places.get(channel);
    const others = [...(place?.room.members.values() ?? [])];
    return place ? others.filter(other => hears(place.member, other)).map(other => other.channel) : [];
  }

  /** The conference that the channel is in, and whether it is on hold there; null: in none. */
  placeOf(channel: Channel): { room: string; isOnHold: boolean } | null {
    const place = this.#places.get(channel);
    return place ? { room: place.room.name, isOnHold: place.member.isOnHold } : null;
  }

  /** Whether the channel shares a conference with another member. */
  hasCompany(channel: Channel): boolean {
    return (this.#places.get(channel)?.room.members.size ?? 0) > 1;
  }

  tell(room: Room, action: string, member?: Member, more: OutgoingEvent['headers'] = []): void {
    const about = member === undefined ? [] : [...channelHeaders(member.channel, false), ...memberHeaders(room, member)];
    this.#side.emit('CUSTOM', [...roomHeaders(room), ...about, ...more, ['Action', action]], member ? { padding: BARE } : {});
  }

  kill(channel: Channel): void {
    this.#side.kill(channel, 'NORMAL_CLEARING');
  }

  newId(): string {
    return this.#side.options.ids();
  }

  get now(): number {
    return this.#side.options.clock.now();
  }

  /** Clears all conferences when the switch is gone. */
  clear(): void {
    for (const room of this.rooms.values()) room.cancelChatter();
    this.rooms.clear();
    this.#places.clear();
  }

  #create(name: string, profile: string): Room {
    const room: Room = {
      name,
      profile,
      uuid: this.newId(),
      createdAt: this.now,
      members: new Map(),
      isLocked: false,
      maxMembers: 0,
      recordings: new Map(),
      floor: null,
      cancelChatter: () => undefined,
    };
    this.rooms.set(name, room);
    this.tell(room, 'conference-create');
    return room;
  }

  #add(room: Room, member: Member): void {
    room.members.set(member.id, member);
    this.#places.set(member.channel, { room, member });
    this.tell(room, 'add-member', member);
    this.#chatter.joined(room);
    this.#companyChanged(room, member.channel);
  }

  #companyChanged(room: Room, channel: Channel): void {
    this.#side.companyChanged(channel);
    for (const member of room.members.values()) this.#side.companyChanged(member.channel);
  }

  /** An active recording ends with the room. */
  #end(room: Room): void {
    room.cancelChatter();
    this.rooms.delete(room.name);
    this.#side.options.clock.schedule(DESTROY_LAG_MS, () => {
      this.recordings.roomEnded(room);
      this.tell(room, 'conference-destroy');
    });
  }
}
