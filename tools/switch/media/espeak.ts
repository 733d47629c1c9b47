import { spawn } from 'node:child_process';
import { SAMPLE_RATE } from '../../sound/wav.ts';

/** Program and package of the speech synthesis. */
export const SYNTHESIS = 'espeak-ng';

/** How one speaker sounds. */
export interface SynthesisVoice {
  /** Variant of the synthesis: `f2` is a woman, `m3` a man. */
  variant: string;
  /** Words per minute, as the program counts them. */
  speed: number;
  /** 0 to 99. */
  pitch: number;
}

/** Time for one sentence, in ms, and its longest sound, in bytes: 60 s at 22 050 Hz. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 2_700_000;
const HEADER_BYTES = 44;
const RATE_AT = 24;
const CHINESE = /\p{Script=Han}/u;

/**
 * Synthesizes one text in a process of its own, so that it never holds up the sound of calls.
 *
 * Shape:  samples at 8 000 Hz
 * Errors: any, when the program fails or takes too long
 */
export async function synthesize(program: string, text: string, { variant, speed, pitch }: SynthesisVoice): Promise<Int16Array> {
  const language = CHINESE.test(text) ? 'cmn' : 'en';
  const args = ['--stdin', '--stdout', '-b', '1', '-v', `${language}+${variant}`, '-s', String(speed), '-p', String(pitch)];
  const wav = await outputOf(program, args, text);
  if (wav.length <= HEADER_BYTES) throw new Error(`${program} has said nothing`);
  // Its header names no length, because it writes to a pipe.
  const samples = Int16Array.from({ length: (wav.length - HEADER_BYTES) >> 1 }, (_, at) => wav.readInt16LE(HEADER_BYTES + at * 2));
  return resample(samples, wav.readUInt32LE(RATE_AT));
}

function outputOf(program: string, args: readonly string[], input: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > MAX_BYTES) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.stdin.on('error', () => undefined); // it has ended already, which `close` reports
    child.on('close', code => (code === 0 ? resolve(Buffer.concat(chunks)) : reject(new Error(`${program} ended with ${code}`))));
    child.stdin.end(text(input));
  });
}

/** One line, without control characters: the program reads line by line. */
function text(input: string): string {
  return `${input.replaceAll(/\p{Cc}+/gu, ' ')}\n`;
}

/** Each sample is the mean of those that it replaces, which also takes away what 8 000 Hz cannot carry. */
export function resample(samples: Int16Array, rate: number): Int16Array {
  const step = rate / SAMPLE_RATE;
  return Int16Array.from({ length: Math.floor(samples.length / step) }, (_, at) => {
    const piece = samples.subarray(Math.floor(at * step), Math.max(Math.floor((at + 1) * step), Math.floor(at * step) + 1));
    return piece.reduce((sum, sample) => sum + sample, 0) / piece.length;
  });
}
