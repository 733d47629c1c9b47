/** What the head of a WAV file says about its sound. */
export interface WavHead {
  encoding: 'pcm' | 'alaw' | 'ulaw' | 'other';
  /** Bytes of one sample of one channel. */
  sampleBytes: number;
  /** Bytes of one sample of all channels. */
  blockBytes: number;
  bytesPerSecond: number;
  /** Where the sound begins in the file, and how long it is, in bytes. */
  dataOffset: number;
  dataBytes: number;
}

const ENCODINGS: Readonly<Record<number, WavHead['encoding']>> = { 1: 'pcm', 6: 'alaw', 7: 'ulaw' };
/** The encoding stands in an extension of the format, 24 bytes after its begin. */
const EXTENSIBLE = 0xfffe;

/**
 * Reads the head of a WAV file; null when it is none, or its sound begins beyond these bytes.
 *
 * Why:    a writer that was killed leaves a length of 0 or of all ones, so the length of the file decides where it is shorter, or none is told
 * Source: Multimedia Programming Interface and Data Specifications 1.0, "Waveform Audio File Format"
 */
export function parseWav(head: Uint8Array, totalBytes: number): WavHead | null {
  if (textAt(head, 0) !== 'RIFF' || textAt(head, 8) !== 'WAVE') return null;
  const chunks = chunksOf(head);
  const format = chunks.find(({ name }) => name === 'fmt ');
  const data = chunks.find(({ name }) => name === 'data');
  if (format === undefined || data === undefined || format.offset + 16 > head.length) return null;
  const left = Math.max(0, totalBytes - data.offset);
  return { ...formatAt(head, format.offset), dataOffset: data.offset, dataBytes: data.bytes === 0 ? left : Math.min(data.bytes, left) };
}

/** Length of the sound, in s. */
export function secondsOf({ dataBytes, bytesPerSecond }: WavHead): number {
  return dataBytes / bytesPerSecond;
}

interface Chunk {
  name: string;
  offset: number;
  bytes: number;
}

/** The sound is the last chunk that is looked for: what follows it lies beyond the head. */
function chunksOf(head: Uint8Array): Chunk[] {
  const view = viewOf(head);
  const chunks: Chunk[] = [];
  for (let at = 12; at + 8 <= head.length && chunks.at(-1)?.name !== 'data'; ) {
    const bytes = view.getUint32(at + 4, true);
    chunks.push({ name: textAt(head, at), offset: at + 8, bytes });
    // Chunks begin at even places.
    at += 8 + bytes + (bytes % 2);
  }
  return chunks;
}

function formatAt(head: Uint8Array, at: number): Omit<WavHead, 'dataOffset' | 'dataBytes'> {
  const view = viewOf(head);
  const told = view.getUint16(at, true);
  const code = told === EXTENSIBLE && at + 26 <= head.length ? view.getUint16(at + 24, true) : told;
  const channels = Math.max(1, view.getUint16(at + 2, true));
  const sampleBytes = Math.max(1, Math.ceil(view.getUint16(at + 14, true) / 8));
  return {
    encoding: ENCODINGS[code] ?? 'other',
    sampleBytes,
    blockBytes: Math.max(1, view.getUint16(at + 12, true) || channels * sampleBytes),
    bytesPerSecond: Math.max(1, view.getUint32(at + 8, true)),
  };
}

function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
