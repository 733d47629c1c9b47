import { type SynthesisVoice, synthesize } from './espeak.ts';
import { voicesOf } from '../../sound/voices.ts';

export const SPEAKERS = ['bot', 'customer', 'agent'] as const;
export type Speaker = (typeof SPEAKERS)[number];

/** The sound of texts. */
export interface Speech {
  /** Samples of a text, at 8 000 Hz. Never rejects. */
  soundOf(speaker: Speaker, text: string): Promise<Int16Array>;
}

const VOICES: Readonly<Record<Speaker, SynthesisVoice & { toneHz: number }>> = {
  bot: { variant: 'f2', speed: 260, pitch: 55, toneHz: 210 },
  customer: { variant: 'm3', speed: 260, pitch: 40, toneHz: 330 },
  agent: { variant: 'f4', speed: 260, pitch: 70, toneHz: 160 },
};
/** Longest text that is spoken, in characters; the rest is left out. */
const MAX_LENGTH = 300;
/** Length of a tone for one character, in ms. */
const TONE_MS = 180;
/** Texts in memory, about 60 kB each; processes at once; and texts that wait for one. */
const MAX_CACHED = 200;
const MAX_RUNNING = 2;
const MAX_WAITING = 20;

/** `find` null: tones mark the sentences, one syllable a character, until the program is there. */
export function createSpeech(find: () => string | null): Speech {
  const known = new Map<string, Promise<Int16Array>>();
  const run = limited();
  const make = (speaker: Speaker, text: string): Promise<Int16Array> => {
    const program = find();
    const tones = () => toneOf(text, VOICES[speaker].toneHz);
    return program === null ? Promise.resolve(tones()) : run(() => synthesize(program, text, VOICES[speaker])).catch(tones);
  };
  return {
    soundOf(speaker, whole) {
      const text = whole.slice(0, MAX_LENGTH);
      const key = `${speaker} ${text}`;
      const sound = known.get(key) ?? make(speaker, text);
      known.delete(key);
      known.set(key, sound);
      for (const oldest of known.keys()) if (known.size > MAX_CACHED) known.delete(oldest);
      return sound;
    },
  };
}

function toneOf(text: string, pitchHz: number): Int16Array {
  const lengthMs = text.length * TONE_MS;
  return voicesOf([{ pitchHz, text, startMs: 0, endMs: lengthMs }], lengthMs);
}

/** Runs few tasks at once and lets few wait. Errors: Error when too many wait */
function limited(): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  const place = async () => {
    if (running >= MAX_RUNNING) {
      if (waiting.length >= MAX_WAITING) throw new Error('too many texts wait to be spoken');
      await new Promise<void>(resolve => waiting.push(resolve));
    }
    running += 1;
  };
  return async task => {
    await place();
    try {
      return await task();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}
