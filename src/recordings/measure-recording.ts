import { CalloutError } from '#kernel/errors.ts';
import type { RecordingFound } from './decisions/judge-recording.ts';
import { countQuiet, type LevelCount } from './decisions/sound-level.ts';
import { parseWav, secondsOf, type WavHead } from './decisions/wav.ts';
import type { ByteRange, RecordingFile, RecordingStore } from './recording.ts';

/** Pieces of a recording that are listened to, spread over its whole length, and the bytes of each: 2 s at 8 kHz and 16 bits. */
const PIECES = 8;
const PIECE_BYTES = 32_768;

type Store = Pick<RecordingStore, 'keeps' | 'isInReach' | 'open'>;

/**
 * Measures length and silence of a recording from its head and a few pieces.
 *
 * Why:    a recording of hours costs as much as one of a minute, so that a check never competes with calls for disk, network or CPU
 * Errors: none; a place that fails in whatever way is out of reach
 */
export async function measureRecording(store: Store, file: RecordingFile, signal: AbortSignal): Promise<RecordingFound> {
  if (!store.keeps(file.cellId)) return { kind: 'unreachable' };
  try {
    return await listen(store, file, signal);
  } catch (error) {
    const isAbsent = error instanceof CalloutError && error.code === 'NOT_FOUND' && (await store.isInReach(file.cellId));
    return { kind: isAbsent ? 'absent' : 'unreachable' };
  }
}

async function listen(store: Store, file: RecordingFile, signal: AbortSignal): Promise<RecordingFound> {
  const head = await readPiece(store, file, { first: 0, last: PIECE_BYTES - 1 }, signal);
  const wav = head && parseWav(head.bytes, head.totalBytes);
  if (!wav) return { kind: 'sound', seconds: null, quietShare: null };
  const counts: LevelCount[] = [];
  for (const range of piecesOf(wav)) {
    const piece = await readPiece(store, file, range, signal);
    const count = piece && countQuiet(piece.bytes, wav);
    if (count) counts.push(count);
  }
  return { kind: 'sound', seconds: secondsOf(wav), quietShare: shareOf(counts) };
}

/** All of a short recording; of a longer one pieces at equal distances, the first at its begin and the last at its end. */
function piecesOf({ dataOffset, dataBytes, blockBytes }: WavHead): ByteRange[] {
  const bytes = PIECE_BYTES - (PIECE_BYTES % blockBytes);
  const count = Math.min(PIECES, Math.ceil(dataBytes / bytes));
  const distance = count < PIECES ? bytes : (dataBytes - bytes) / (PIECES - 1);
  return Array.from({ length: count }, (_, index) => {
    const place = Math.floor((index * distance) / blockBytes) * blockBytes;
    return { first: dataOffset + place, last: dataOffset + Math.min(place + bytes, dataBytes) - 1 };
  });
}

function shareOf(counts: readonly LevelCount[]): number | null {
  const total = counts.reduce((sum, count) => sum + count.total, 0);
  return total === 0 ? null : counts.reduce((sum, { quiet }) => sum + quiet, 0) / total;
}

interface Piece {
  bytes: Uint8Array;
  totalBytes: number;
}

/** Null where a server sends whole files only and the piece is not at their begin. */
async function readPiece(store: Store, file: RecordingFile, range: ByteRange, signal: AbortSignal): Promise<Piece | null> {
  const recording = await store.open(file, range, signal);
  if (recording.part === 'beyond') return null;
  try {
    if (recording.part === null && range.first > 0) return null;
    return { bytes: await take(recording.read(), range.last - range.first + 1), totalBytes: recording.totalBytes };
  } finally {
    await recording.close();
  }
}

/** Reads no more than `limit` bytes, whatever is sent. */
async function take(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const taken: Uint8Array[] = [];
  let left = limit;
  for await (const chunk of chunks) {
    taken.push(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) break;
  }
  return Buffer.concat(taken);
}
