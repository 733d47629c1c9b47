import type { Clock } from '#kernel/clock.ts';
import { randomInt, type Random } from '#kernel/random.ts';
import type { Member, Room } from './conference-room.ts';

export interface ChatterOptions {
  clock: Clock;
  random: Random;
  tell(room: Room, action: string, member?: Member, more?: (readonly [string, string])[]): void;
}

/** Delay until a free floor gets a new holder, in ms. */
const FLOOR_LAG_MS = 20;
/** How long one member speaks before the next begins, in ms. */
const TURN_MS = { min: 800, max: 3_000 };
/** Delay between the join and the first word, in ms. */
const FIRST_WORD_MS = 40;

/**
 * Talk and floor events of a conference: a constant stream that most clients must skip.
 *
 * Source: recording d-conference-plain, test/fixtures/esl/README.md §1a "rooms"
 */
export class Chatter {
  readonly #options: ChatterOptions;

  constructor(options: ChatterOptions) {
    this.#options = options;
  }

  /** Starts the talk of the room when a member joins, unless it runs already. */
  joined(room: Room): void {
    if (room.members.size > 1) return;
    this.#schedule(room, FLOOR_LAG_MS, () => {
      this.#giveFloor(room, this.#speakers(room)[0] ?? null);
      this.#schedule(room, FIRST_WORD_MS, () => this.#takeTurn(room));
    });
  }

  /** Stops a leaving member's talk; the floor becomes free before the member is gone. */
  leaving(room: Room, member: Member): void {
    member.isTalking = false;
    if (room.floor !== member.id) return;
    room.floor = null;
    this.#options.tell(room, 'floor-change', undefined, [
      ['Old-ID', 'none'],
      ['New-ID', 'none'],
    ]);
    this.#schedule(room, FLOOR_LAG_MS, () => this.#takeTurn(room));
  }

  #takeTurn(room: Room): void {
    const speakers = this.#speakers(room);
    const next = speakers[randomInt(this.#options.random, 0, Math.max(0, speakers.length - 1))];
    for (const member of room.members.values()) if (member !== next) this.#setTalking(room, member, false);
    if (next) {
      this.#setTalking(room, next, !next.isTalking);
      this.#giveFloor(room, next);
    }
    this.#schedule(room, randomInt(this.#options.random, TURN_MS.min, TURN_MS.max), () => this.#takeTurn(room));
  }

  #setTalking(room: Room, member: Member, isTalking: boolean): void {
    if (member.isTalking === isTalking) return;
    member.isTalking = isTalking;
    this.#options.tell(room, isTalking ? 'start-talking' : 'stop-talking', member);
  }

  #giveFloor(room: Room, member: Member | null): void {
    if (member === null || room.floor === member.id) return;
    const old = room.floor;
    room.floor = member.id;
    this.#options.tell(room, 'floor-change', member, [
      ['Old-ID', old === null ? 'none' : String(old)],
      ['New-ID', String(member.id)],
    ]);
  }

  #speakers(room: Room): Member[] {
    return [...room.members.values()].filter(member => member.canSpeak);
  }

  /** Each room has a single timer for its talk. */
  #schedule(room: Room, delayMs: number, task: () => void): void {
    room.cancelChatter();
    room.cancelChatter = this.#options.clock.schedule(delayMs, () => {
      if (room.members.size > 0) task();
    });
  }
}
