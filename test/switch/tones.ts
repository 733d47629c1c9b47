import { readFileSync } from 'node:fs';

/** Samples of a recording. Units: rate Hz, samples −1..1 */
export interface Sound {
  rate: number;
  samples: Float64Array;
}

export type Heard = 'heard' | 'silent' | 'partly';

/** Frame length that separates tones 40 Hz apart, in ms. */
const FRAME_MS = 100;
/** A phone's tone arrives at 0.31 of full scale, even beside others; clicks of a busy machine stay below 0.03. */
const LOUD_ENOUGH = 0.05;
/** Shares of frames above which a tone counts as present, and below which as absent: a stalled machine drops some. */
const HEARD_FROM = 0.6;
const SILENT_TO = 0.25;
const FULL_SCALE = 32_768;
const PCM = 1;

/** Errors: Error when it is not a complete mono WAV of 16-bit PCM */
export function readWav(file: string): Sound {
  const bytes = readFileSync(file);
  if (bytes.toString('latin1', 0, 4) !== 'RIFF') throw new Error(`${file} is no WAV file`);
  let rate = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const kind = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const body = bytes.subarray(at + 8, at + 8 + size);
    if (kind === 'fmt ') rate = rateOf(body, file);
    if (kind === 'data') return { rate, samples: samplesOf(body) };
    at += 8 + size + (size % 2);
  }
  throw new Error(`${file} has no sound yet`);
}

function rateOf(format: Buffer, file: string): number {
  const [kind, channels, bits] = [format.readUInt16LE(0), format.readUInt16LE(2), format.readUInt16LE(14)];
  if (kind !== PCM || channels !== 1 || bits !== 16) throw new Error(`${file} is not mono PCM of 16 bits`);
  return format.readUInt32LE(4);
}

function samplesOf(body: Buffer): Float64Array {
  return Float64Array.from({ length: Math.floor(body.length / 2) }, (_, index) => body.readInt16LE(index * 2) / FULL_SCALE);
}

/** Amplitude of one frequency in a piece of sound, by Goertzel's algorithm under a Hann window. */
export function amplitudeOf(samples: Float64Array, rate: number, frequency: number): number {
  const turn = (2 * Math.PI * frequency) / rate;
  const factor = 2 * Math.cos(turn);
  let [last, before] = [0, 0];
  for (const [index, sample] of samples.entries()) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / samples.length);
    [last, before] = [sample * window + factor * last - before, last];
  }
  const power = last * last + before * before - factor * last * before;
  // The window halves the amplitude.
  return (4 * Math.sqrt(Math.max(0, power))) / samples.length;
}

/** Whether a tone was present all the time, never, or intermittently. */
export function hearTone({ rate, samples }: Sound, frequency: number): Heard {
  const length = Math.round((rate * FRAME_MS) / 1_000);
  const frames = Math.floor(samples.length / length);
  if (frames === 0) return 'silent';
  const loud = Array.from({ length: frames }, (_, frame) =>
    amplitudeOf(samples.subarray(frame * length, (frame + 1) * length), rate, frequency),
  ).filter(amplitude => amplitude > LOUD_ENOUGH).length;
  if (loud / frames >= HEARD_FROM) return 'heard';
  return loud / frames <= SILENT_TO ? 'silent' : 'partly';
}
