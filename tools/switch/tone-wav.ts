/** Samples per second of every recording. */
export const SAMPLE_RATE = 8_000;

const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;
const AMPLITUDE = 6_000;
/** Two voices in turn: half a second each, with a pause at its end, Hz. */
const TONES_HZ = [440, 660] as const;
const TURN_SAMPLES = SAMPLE_RATE / 2;
const VOICED_SAMPLES = (TURN_SAMPLES * 4) / 5;

export const wavBytesOf = (samples: number): number => HEADER_BYTES + samples * BYTES_PER_SAMPLE;

/** A WAV file, 16 bit mono, of two tones that take turns. */
export function toneWav(samples: number): Buffer {
  const file = Buffer.alloc(wavBytesOf(samples));
  writeHeader(file, samples);
  for (let at = 0; at < samples; at += 1) file.writeInt16LE(sampleAt(at), wavBytesOf(at));
  return file;
}

function sampleAt(at: number): number {
  if (at % TURN_SAMPLES >= VOICED_SAMPLES) return 0;
  const hz = TONES_HZ[Math.floor(at / TURN_SAMPLES) % TONES_HZ.length] ?? TONES_HZ[0];
  return Math.round(AMPLITUDE * Math.sin((2 * Math.PI * hz * at) / SAMPLE_RATE));
}

function writeHeader(file: Buffer, samples: number): void {
  const [pcm, channels] = [1, 1];
  const dataBytes = samples * BYTES_PER_SAMPLE;
  file.write('RIFF', 0);
  file.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(pcm, 20);
  file.writeUInt16LE(channels, 22);
  file.writeUInt32LE(SAMPLE_RATE, 24);
  file.writeUInt32LE(SAMPLE_RATE * BYTES_PER_SAMPLE, 28);
  file.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  file.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34);
  file.write('data', 36);
  file.writeUInt32LE(dataBytes, 40);
}
