import { SAMPLE_RATE } from '../../sound/wav.ts';

/** Length of one packet of sound, in ms, and its samples at the rate of PCMU. */
export const FRAME_MS = 20;
export const FRAME_SAMPLES = (SAMPLE_RATE * FRAME_MS) / 1_000;

/** 20 ms of sound, 16 bit mono. */
export type Frame = Int16Array;

const [LOWEST, HIGHEST] = [-32_768, 32_767];

/** Adds frames; what exceeds the range is clipped. */
export function mix(frames: readonly Frame[]): Frame {
  const [first, ...rest] = frames;
  if (first !== undefined && rest.length === 0) return first;
  const sum = new Int16Array(FRAME_SAMPLES);
  for (let at = 0; at < FRAME_SAMPLES; at += 1) sum[at] = clipped(frames.reduce((total, frame) => total + (frame[at] ?? 0), 0));
  return sum;
}

function clipped(sample: number): number {
  return Math.max(LOWEST, Math.min(HIGHEST, sample));
}

/** Loudness of a frame: the root of its mean square. */
export function loudnessOf(frame: Frame): number {
  return Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, frame.length));
}
