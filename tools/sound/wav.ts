/** Sample rate of all recordings, in Hz. */
export const SAMPLE_RATE = 8_000;

const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;

export const samplesOf = (ms: number): number => Math.round((ms * SAMPLE_RATE) / 1_000);

export const wavBytesOf = (samples: number): number => HEADER_BYTES + samples * BYTES_PER_SAMPLE;

/** Encodes a WAV file, 16 bit mono. */
export function wavOf(samples: Int16Array): Buffer {
  const file = Buffer.alloc(wavBytesOf(samples.length));
  writeHeader(file, samples.length);
  for (const [at, sample] of samples.entries()) file.writeInt16LE(sample, wavBytesOf(at));
  return file;
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
