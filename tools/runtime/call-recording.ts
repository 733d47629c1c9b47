import { mkdir, readdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '#kernel/log.ts';
import { voicesOf } from '../sound/voices.ts';
import { wavOf } from '../sound/wav.ts';
import type { Segment } from './conversation.ts';

/** Transcript of one call, for its recording. */
export interface SpokenCall {
  requestId: string;
  segments: readonly Segment[];
  /** Length from the answer to the end. */
  lengthMs: number;
}

/** Writes the recording of a call; resolves to its file name, or null when nothing is recorded. Never rejects. */
export type RecordCall = (call: SpokenCall) => Promise<string | null>;

/** Longest recording, in ms: 9.6 MB of sound that are in memory while they are written. */
const MAX_MS = 600_000;
/** Most recordings in the folder, about 160 kB each; the oldest are deleted. */
const MAX_FILES = 500;
/** Number of recordings after which the folder is cleaned up. */
const LOOK_EVERY = 50;
const PITCH_HZ = { bot: 210, customer: 330, agent: 160 } as const;
const FILE_NAME = /^[0-9a-f-]{36}\.wav$/;

/** Records calls as a media runtime would, with tones for voices at the times of their captions. `folder` null: records nothing. */
export function callRecorder(folder: string | null, log: Log): RecordCall {
  let written = 0;
  return async ({ requestId, segments, lengthMs }) => {
    const said = segments.filter(({ final }) => final);
    if (folder === null || said.length === 0) return null;
    const utterances = said.map(({ speaker, ...segment }) => ({ ...segment, pitchHz: PITCH_HZ[speaker] }));
    const name = `${requestId}.wav`;
    try {
      await mkdir(folder, { recursive: true });
      if (written++ % LOOK_EVERY === 0) await removeOldest(folder);
      await writeFile(join(folder, name), wavOf(voicesOf(utterances, Math.min(lengthMs, MAX_MS))));
      return name;
    } catch (error) {
      log.warn({ err: error, requestId }, 'the call could not be recorded');
      return null;
    }
  };
}

/** Leaves other files in the folder alone. */
async function removeOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter(name => FILE_NAME.test(name));
  const files = await Promise.all(names.map(async name => ({ path: join(folder, name), at: (await stat(join(folder, name))).mtimeMs })));
  const tooMany = files.toSorted((a, b) => b.at - a.at).slice(MAX_FILES - LOOK_EVERY);
  await Promise.all(tooMany.map(({ path }) => unlink(path)));
}
