import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SAMPLE_RATE, toneWav } from './tone-wav.ts';

/** Where recordings go. */
export interface RecordingFolder {
  /** Whether a file can be written at that path of the switch. */
  begin(path: string): boolean;
  /** The file has its full length. */
  finish(path: string, lengthMs: number): void;
}

/** Nothing is ever written below it, on any machine. */
const NOWHERE = '/dev/null/';
/** A longer recording is cut: it is there to be heard, not to be believed. */
const MAX_SAMPLES = 60 * SAMPLE_RATE;

/** Writes tones under the name of each recording into one folder; without a folder only says that it does. */
export function recordingFolder(folder: string | null): RecordingFolder {
  const write = (path: string, samples: number): boolean => {
    if (path.startsWith(NOWHERE)) return false;
    return folder === null || writes(folder, basename(path), samples);
  };
  return {
    begin: path => write(path, 0),
    finish: (path, lengthMs) => void write(path, Math.min(MAX_SAMPLES, Math.round((lengthMs * SAMPLE_RATE) / 1_000))),
  };
}

function writes(folder: string, name: string, samples: number): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), toneWav(samples));
    return true;
  } catch {
    return false; // told as the switch tells it: a recording that begins and ends at once
  }
}
