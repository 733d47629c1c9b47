import type { Clock } from '#kernel/clock.ts';
import { type Frame, FRAME_MS, FRAME_SAMPLES } from './frame.ts';

/** Longest recording, in frames: ten minutes, about 10 MB. */
const MAX_FRAMES = 30_000;
/** A gap shorter than this, in frames, is lateness of the clock and no silence. */
const MIN_GAP = 5;
const SILENCE: Frame = new Int16Array(FRAME_SAMPLES);

/** A recording of real sound in memory; it is silent where nobody with real sound was there. */
export class Tape {
  readonly #clock: Clock;
  readonly #onStop: () => void;
  readonly #startedAt: number;
  readonly #frames: Frame[] = [];

  constructor(clock: Clock, onStop: () => void) {
    this.#clock = clock;
    this.#onStop = onStop;
    this.#startedAt = clock.monotonic();
  }

  add(frame: Frame): void {
    this.#fill();
    if (this.#frames.length < MAX_FRAMES) this.#frames.push(frame);
  }

  /** The samples in the full length; null when nothing was recorded. */
  stop(): Int16Array | null {
    this.#onStop();
    if (this.#frames.length === 0) return null;
    this.#fill();
    const samples = new Int16Array(this.#frames.length * FRAME_SAMPLES);
    for (const [index, frame] of this.#frames.entries()) samples.set(frame, index * FRAME_SAMPLES);
    return samples;
  }

  #fill(): void {
    const due = Math.min(MAX_FRAMES, Math.floor((this.#clock.monotonic() - this.#startedAt) / FRAME_MS));
    if (due - this.#frames.length < MIN_GAP) return;
    while (this.#frames.length < due) this.#frames.push(SILENCE);
  }
}
