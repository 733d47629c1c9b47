import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Utterance, voicesOf } from '../sound/voices.ts';
import { wavOf } from '../sound/wav.ts';

/** Destination of recordings. */
export interface RecordingFolder {
  /** Whether a file can be written at that path of the switch. */
  begin(path: string): boolean;
  /** Writes the file in its full length: what was heard, or tones where nobody had real sound. */
  finish(path: string, lengthMs: number, heard: Int16Array | null): void;
}

/** Path below which no machine can write. */
const NOWHERE = '/dev/null/';
/** Longest recording of tones, in ms: it only has to be audible. */
const MAX_MS = 60_000;
/** Two voices that alternate, each followed by a pause. */
const TURN = { ms: 500, voicedMs: 400, pitchesHz: [440, 660] } as const;

/** Writes into one folder under the name of each recording; without a folder it only pretends to. */
export function recordingFolder(folder: string | null): RecordingFolder {
  const write = (path: string, samples: () => Int16Array): boolean => {
    if (path.startsWith(NOWHERE)) return false;
    return folder === null || writes(folder, basename(path), samples());
  };
  return {
    begin: path => write(path, () => new Int16Array()),
    finish: (path, lengthMs, heard) => void write(path, () => heard ?? tones(Math.min(MAX_MS, lengthMs))),
  };
}

function tones(lengthMs: number): Int16Array {
  return voicesOf(turns(lengthMs), lengthMs);
}

function writes(folder: string, name: string, samples: Int16Array): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), wavOf(samples));
    return true;
  } catch {
    return false; // as on the switch: the recording begins and ends at once
  }
}

function turns(lengthMs: number): Utterance[] {
  return Array.from({ length: Math.ceil(lengthMs / TURN.ms) }, (_, turn) => {
    const startMs = turn * TURN.ms;
    const pitchHz = TURN.pitchesHz[turn % TURN.pitchesHz.length] ?? TURN.pitchesHz[0];
    return { pitchHz, text: 'a', startMs, endMs: startMs + TURN.voicedMs };
  });
}
