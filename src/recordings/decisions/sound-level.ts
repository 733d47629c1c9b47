import type { WavHead } from './wav.ts';

/** Level below which a sample is quiet: -50 dB of full scale, above the noise of an idle line and far below speech. */
const QUIET = 10 ** (-50 / 20);

export interface LevelCount {
  quiet: number;
  total: number;
}

type ReadSample = (view: DataView, at: number) => number;

/** Counts the quiet samples of a piece of the sound, all channels alike; null for an encoding whose level is not known. */
export function countQuiet(bytes: Uint8Array, { encoding, sampleBytes }: Pick<WavHead, 'encoding' | 'sampleBytes'>): LevelCount | null {
  const read = readerOf(encoding, sampleBytes);
  if (read === null) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const total = Math.floor(bytes.length / sampleBytes);
  let quiet = 0;
  for (let index = 0; index < total; index++) if (Math.abs(read(view, index * sampleBytes)) < QUIET) quiet++;
  return { quiet, total };
}

/** Amplitudes from -1 to 1. */
function readerOf(encoding: WavHead['encoding'], sampleBytes: number): ReadSample | null {
  if (encoding === 'ulaw') return (view, at) => ULAW[view.getUint8(at)] ?? 0;
  if (encoding === 'alaw') return (view, at) => ALAW[view.getUint8(at)] ?? 0;
  return encoding === 'pcm' ? (PCM[sampleBytes] ?? null) : null;
}

const PCM: Readonly<Record<number, ReadSample>> = {
  1: (view, at) => (view.getUint8(at) - 0x80) / 0x80,
  2: (view, at) => view.getInt16(at, true) / 0x80_00,
  3: (view, at) => view.getInt16(at + 1, true) / 0x80_00,
  4: (view, at) => view.getInt32(at, true) / 0x80_00_00_00,
};

/** Source: ITU-T G.711 §4, in full scale */
const ULAW = Array.from({ length: 256 }, (_, code) => {
  const [exponent, mantissa] = partsOf(~code);
  return (((mantissa << 3) + 0x84) * 2 ** exponent - 0x84) / 0x80_00;
});

const ALAW = Array.from({ length: 256 }, (_, code) => {
  const [exponent, mantissa] = partsOf(code ^ 0x55);
  return (((mantissa << 4) + (exponent === 0 ? 8 : 0x1_08)) * 2 ** Math.max(0, exponent - 1)) / 0x80_00;
});

/** Exponent and mantissa of a code; its sign does not matter to its level. */
function partsOf(code: number): [exponent: number, mantissa: number] {
  return [(code >> 4) & 7, code & 15];
}
