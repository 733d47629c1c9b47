import type { Cancel, Clock } from '#kernel/clock.ts';
import { backgroundFrame, type Background } from './background.ts';
import { type Frame, FRAME_MS, FRAME_SAMPLES, loudnessOf, mix } from './frame.ts';
import { Tape } from './tape.ts';
import { Utterances } from './utterances.ts';

/** One end with real sound. */
export interface SoundLeg {
  /** The next 20 ms of what comes from it; null while nothing does. */
  take(): Frame | null;
  give(frame: Frame): void;
}

/** The mix that a channel hears now. */
export interface Hearing {
  /** Uuids of the channels whose sound reaches it. */
  others: readonly string[];
  background: Background | null;
}

export interface SwitchSoundOptions {
  clock: Clock;
  hearingOf(uuid: string): Hearing;
}

/** Speech that a channel hears. Units: ms */
export interface PeopleHeard {
  /** How long they have spoken in whole. */
  spokenMs: number;
  /** Time since somebody spoke last; null: nobody has. */
  silentMs: number | null;
}

interface Kept {
  leg: SoundLeg;
  isHeld: boolean;
  spokenMs: number;
  /** Monotonic. */
  spokeAt: number | null;
}

/** Most frames that are made up for after a stall, 100 ms; what is older is left out. */
const MAX_LATE_FRAMES = 5;
const SILENCE: Frame = new Int16Array(FRAME_SAMPLES);
/** Loudness from which a frame counts as speech; a quiet room stays below. */
const SPEECH_LOUDNESS = 400;

/**
 * The sound of the switch: every 20 ms it takes what each end says, and gives each the sum of those that it hears. It runs only while an
 * end with real sound is there.
 */
export class SwitchSound {
  readonly #options: SwitchSoundOptions;
  readonly #legs = new Map<string, Kept>();
  readonly #utterances = new Utterances();
  readonly #tapes = new Map<Tape, () => readonly string[]>();
  /** Frames of this run, which the melodies follow. */
  #count = 0;
  #dueAt = 0;
  #cancelTick: Cancel | null = null;

  constructor(options: SwitchSoundOptions) {
    this.#options = options;
  }

  join(uuid: string, leg: SoundLeg): void {
    this.#legs.set(uuid, { leg, isHeld: false, spokenMs: 0, spokeAt: null });
    if (this.#cancelTick === null) this.#start();
  }

  leave(uuid: string): void {
    this.#legs.delete(uuid);
    if (this.#legs.size === 0) this.close();
  }

  close(): void {
    this.#legs.clear();
    this.#utterances.clear();
    this.#cancelTick?.();
    this.#cancelTick = null;
  }

  /** A held end is not heard. */
  hold(uuid: string, isHeld: boolean): void {
    const kept = this.#legs.get(uuid);
    if (kept) kept.isHeld = isHeld;
  }

  isHeld(uuid: string): boolean {
    return this.#legs.get(uuid)?.isHeld ?? false;
  }

  /** Whether somebody with real sound hears the channel. */
  isHeard(uuid: string): boolean {
    return this.#legs.keys().some(leg => this.#options.hearingOf(leg).others.includes(uuid));
  }

  /** Plays a text on the channel of a simulated person, to all who hear that person. */
  speak(uuid: string, samples: Int16Array): void {
    if (this.#legs.size > 0) this.#utterances.speak(uuid, samples);
  }

  hush(uuid: string): void {
    this.#utterances.hush(uuid);
  }

  /** Whether a channel hears no other channel, because it is on hold or alone. */
  hearsNobody(uuid: string): boolean {
    return this.#options.hearingOf(uuid).others.length === 0;
  }

  /** The channels with real sound that a channel hears; null when there are none. */
  peopleHeardBy(uuid: string): PeopleHeard | null {
    const people = this.#options.hearingOf(uuid).others.flatMap(other => this.#legs.get(other) ?? []);
    if (people.length === 0) return null;
    const spokeAt = Math.max(...people.map(person => person.spokeAt ?? -Infinity));
    const silentMs = spokeAt === -Infinity ? null : this.#options.clock.monotonic() - spokeAt;
    return { spokenMs: people.reduce((sum, person) => sum + person.spokenMs, 0), silentMs };
  }

  /** Records the sum of what these channels say, until `Tape.stop`. */
  record(uuids: () => readonly string[]): Tape {
    const tape: Tape = new Tape(this.#options.clock, () => this.#tapes.delete(tape));
    this.#tapes.set(tape, uuids);
    return tape;
  }

  #start(): void {
    this.#dueAt = this.#options.clock.monotonic();
    this.#schedule();
  }

  #schedule(): void {
    const { clock } = this.#options;
    this.#dueAt += FRAME_MS;
    this.#cancelTick = clock.schedule(Math.max(0, this.#dueAt - clock.monotonic()), () => {
      this.#schedule();
      this.#skipWhatIsTooLate();
      this.#pass();
    });
  }

  #skipWhatIsTooLate(): void {
    const lateMs = this.#options.clock.monotonic() - this.#dueAt;
    if (lateMs > MAX_LATE_FRAMES * FRAME_MS) this.#dueAt += Math.floor(lateMs / FRAME_MS) * FRAME_MS;
  }

  /** Passes 20 ms of sound from everybody to everybody. */
  #pass(): void {
    this.#count += 1;
    const said = this.#utterances.take();
    for (const [uuid, kept] of this.#legs) {
      const frames = [this.#takeFrom(kept), said.get(uuid) ?? null].filter(frame => frame !== null);
      if (frames.length > 0) said.set(uuid, mix(frames));
    }
    for (const [uuid, { leg }] of this.#legs) leg.give(this.#heardBy(uuid, said));
    for (const [tape, uuids] of this.#tapes) tape.add(mix(uuids().flatMap(uuid => said.get(uuid) ?? [])));
  }

  /** A held end is drained too, so that it is not late when it comes back. */
  #takeFrom(kept: Kept): Frame | null {
    const frame = kept.leg.take();
    if (frame === null || kept.isHeld) return null;
    if (loudnessOf(frame) > SPEECH_LOUDNESS) {
      kept.spokenMs += FRAME_MS;
      kept.spokeAt = this.#options.clock.monotonic();
    }
    return frame;
  }

  #heardBy(uuid: string, said: ReadonlyMap<string, Frame>): Frame {
    const { others, background } = this.#options.hearingOf(uuid);
    const frames = others.flatMap(other => said.get(other) ?? []);
    if (background !== null) frames.push(backgroundFrame(background, this.#count));
    return frames.length === 0 ? SILENCE : mix(frames);
  }
}
