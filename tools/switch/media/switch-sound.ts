import type { Cancel, Clock } from '#kernel/clock.ts';
import { type Frame, FRAME_MS, FRAME_SAMPLES, mix } from './frame.ts';

/** One end with real sound. */
export interface SoundLeg {
  /** The next 20 ms of what comes from it; null while nothing does. */
  take(): Frame | null;
  give(frame: Frame): void;
}

export interface SwitchSoundOptions {
  clock: Clock;
  /** Uuids of the channels that this one hears now. */
  heardBy(uuid: string): readonly string[];
}

/** Most frames that are made up for after a stall, 100 ms; what is older is left out. */
const MAX_LATE_FRAMES = 5;
const SILENCE: Frame = new Int16Array(FRAME_SAMPLES);

/**
 * The sound of the switch: every 20 ms it takes what each end says, and gives each the sum of those that it hears. It runs only while
 * somebody listens.
 */
export class SwitchSound {
  readonly #options: SwitchSoundOptions;
  readonly #legs = new Map<string, SoundLeg>();
  readonly #held = new Set<string>();
  #dueAt = 0;
  #cancelTick: Cancel | null = null;

  constructor(options: SwitchSoundOptions) {
    this.#options = options;
  }

  join(uuid: string, leg: SoundLeg): void {
    this.#legs.set(uuid, leg);
    if (this.#cancelTick === null) this.#start();
  }

  leave(uuid: string): void {
    this.#legs.delete(uuid);
    this.#held.delete(uuid);
    if (this.#legs.size > 0) return;
    this.#cancelTick?.();
    this.#cancelTick = null;
  }

  /** What a held end says is not heard. */
  hold(uuid: string, isHeld: boolean): void {
    if (isHeld) this.#held.add(uuid);
    else this.#held.delete(uuid);
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
      this.#catchUp();
    });
  }

  #catchUp(): void {
    const lateMs = this.#options.clock.monotonic() - this.#dueAt;
    if (lateMs > MAX_LATE_FRAMES * FRAME_MS) this.#dueAt += Math.floor(lateMs / FRAME_MS) * FRAME_MS;
    this.#pass();
  }

  /** Passes 20 ms of sound from everybody to everybody. */
  #pass(): void {
    const said = new Map([...this.#legs].map(([uuid, leg]) => [uuid, leg.take()] as const));
    for (const uuid of this.#held) said.set(uuid, null);
    for (const [uuid, leg] of this.#legs) {
      const heard = this.#options.heardBy(uuid).map(other => said.get(other) ?? null);
      const frames = heard.filter(frame => frame !== null);
      leg.give(frames.length === 0 ? SILENCE : mix(frames));
    }
  }
}
