import type { Frame } from './frame.ts';

/** Frames that wait before the first is played, and again after a gap: 60 ms. */
const CUSHION = 3;
/** Most frames that wait, 300 ms; beyond, the oldest are dropped until the cushion is left. */
const MOST = 15;
/** Distance of sequence numbers above which a stream has begun anew. */
const RESTART = 1_000;

/** Puts received frames in order and evens out their arrival. */
export class JitterBuffer {
  readonly #waiting = new Map<number, Frame>();
  /** Sequence number that is played next; null before the first frame. */
  #next: number | null = null;
  #isPlaying = false;

  push(sequence: number, frame: Frame): void {
    this.#next ??= sequence;
    const ahead = distance(this.#next, sequence);
    if (Math.abs(ahead) > RESTART) this.#restart(sequence);
    else if (ahead < 0) return;
    this.#waiting.set(sequence, frame);
    if (this.#waiting.size > MOST) while (this.#waiting.size > CUSHION) this.#advance();
  }

  /** The frame to play now; null while there is none. */
  take(): Frame | null {
    if (!this.#isPlaying && this.#waiting.size < CUSHION) return null;
    this.#isPlaying = this.#waiting.size > 0;
    return this.#isPlaying ? this.#advance() : null;
  }

  #restart(sequence: number): void {
    this.#waiting.clear();
    this.#next = sequence;
    this.#isPlaying = false;
  }

  /** A lost frame is skipped in silence. */
  #advance(): Frame | null {
    const sequence = this.#next ?? 0;
    const frame = this.#waiting.get(sequence) ?? null;
    this.#waiting.delete(sequence);
    this.#next = (sequence + 1) & 0xffff;
    return frame;
  }
}

/** Signed distance between two 16-bit sequence numbers. */
function distance(from: number, to: number): number {
  return (((to - from) & 0xffff) ^ 0x8000) - 0x8000;
}
