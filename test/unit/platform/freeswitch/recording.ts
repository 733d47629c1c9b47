import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../fixtures/esl');

/** One read or write of a recorded connection. */
export interface Exchange {
  /** Seconds since the start of the connection. */
  t: number;
  dir: 'C->S' | 'S->C';
  bytes: Buffer;
}

/** Names of all recordings, such as `b-busy-plain`. */
export const RECORDINGS: readonly string[] = readdirSync(FOLDER)
  .filter(name => name.endsWith('.jsonl'))
  .map(name => name.slice(0, -'.jsonl'.length))
  .sort();

/** The exchanges of one recording, in order. */
export function readRecording(name: string): Exchange[] {
  const lines = readFileSync(join(FOLDER, `${name}.jsonl`), 'utf8').split('\n');
  return lines.flatMap(line => {
    if (line === '') return [];
    const entry: { t: number; dir?: string; b64?: string } = JSON.parse(line);
    if (entry.b64 === undefined || (entry.dir !== 'C->S' && entry.dir !== 'S->C')) return [];
    return [{ t: entry.t, dir: entry.dir, bytes: Buffer.from(entry.b64, 'base64') }];
  });
}

/** Everything that one side sent, as one buffer. */
export function bytesOf(name: string, dir: Exchange['dir']): Buffer {
  return Buffer.concat(readRecording(name).flatMap(exchange => (exchange.dir === dir ? [exchange.bytes] : [])));
}
