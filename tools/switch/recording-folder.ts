import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Utterance, voicesOf } from '../sound/voices.ts';
import { wavOf } from '../sound/wav.ts';

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
const MAX_MS = 60_000;
/** Two voices that take turns, each with a pause at its end. */
const TURN = { ms: 500, voicedMs: 400, pitchesHz: [440, 660] } as const;

/** Writes tones under the name of each recording into one folder; without a folder only says that it does. */
export function recordingFolder(folder: string | null): RecordingFolder {
  const write = (path: string, lengthMs: number): boolean => {
    if (path.startsWith(NOWHERE)) return false;
    return folder === null || writes(folder, basename(path), lengthMs);
  };
  return {
    begin: path => write(path, 0),
    finish: (path, lengthMs) => void write(path, Math.min(MAX_MS, lengthMs)),
  };
}

function writes(folder: string, name: string, lengthMs: number): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), wavOf(voicesOf(turns(lengthMs), lengthMs)));
    return true;
  } catch {
    return false; // told as the switch tells it: a recording that begins and ends at once
  }
}

function turns(lengthMs: number): Utterance[] {
  return Array.from({ length: Math.ceil(lengthMs / TURN.ms) }, (_, turn) => {
    const startMs = turn * TURN.ms;
    const pitchHz = TURN.pitchesHz[turn % TURN.pitchesHz.length] ?? TURN.pitchesHz[0];
    return { pitchHz, text: 'a', startMs, endMs: startMs + TURN.voicedMs };
  });
}
