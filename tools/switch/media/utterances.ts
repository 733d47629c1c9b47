import { FRAME_SAMPLES, type Frame, mix } from './frame.ts';

interface Utterance {
  samples: Int16Array;
  /** Samples already played. */
  at: number;
}

/** Most texts at once on one channel. */
const MAX_AT_ONCE = 4;

/** Speech on the channels of simulated people: by themselves, or to them by a runtime. */
export class Utterances {
  readonly #byChannel = new Map<string, Utterance[]>();

  speak(uuid: string, samples: Int16Array): void {
    const spoken = this.#byChannel.get(uuid) ?? [];
    this.#byChannel.set(uuid, [...spoken, { samples, at: 0 }].slice(-MAX_AT_ONCE));
  }

  hush(uuid: string): void {
    this.#byChannel.delete(uuid);
  }

  clear(): void {
    this.#byChannel.clear();
  }

  /** The next 20 ms of every channel on which something is spoken. */
  take(): Map<string, Frame> {
    const frames = new Map<string, Frame>();
    for (const [uuid, spoken] of this.#byChannel) {
      frames.set(uuid, mix(spoken.map(nextFrame)));
      const left = spoken.filter(({ samples, at }) => at < samples.length);
      if (left.length === 0) this.#byChannel.delete(uuid);
      else this.#byChannel.set(uuid, left);
    }
    return frames;
  }
}

function nextFrame(utterance: Utterance): Frame {
  const frame = new Int16Array(FRAME_SAMPLES);
  frame.set(utterance.samples.subarray(utterance.at, utterance.at + FRAME_SAMPLES));
  utterance.at += FRAME_SAMPLES;
  return frame;
}
