import { SAMPLE_RATE, samplesOf } from './wav.ts';

/** Sound of one utterance. Units: ms from the beginning of the recording */
export interface Utterance {
  /** Pitch of the voice, in Hz. */
  pitchHz: number;
  /** Each character becomes a syllable, so that the sound is as long as the text. */
  text: string;
  startMs: number;
  endMs: number;
}

const AMPLITUDE = 11_000;
/** Syllables per word; the loudness falls towards the end of a word, as it does towards the end of the sentence. */
const WORD = 4;
const SOFTEST = 0.25;
/** Pitches of syllables relative to the voice, chosen by the text. */
const STEPS = [0.84, 0.92, 1, 1.07, 1.16] as const;

/** Synthesises tones for voices, each utterance at its time; anything beyond `lengthMs` is dropped. */
export function voicesOf(utterances: readonly Utterance[], lengthMs: number): Int16Array {
  const samples = new Int16Array(Math.max(0, samplesOf(lengthMs)));
  for (const utterance of utterances) speak(samples, utterance);
  return samples;
}

function speak(samples: Int16Array, { pitchHz, text, startMs, endMs }: Utterance): void {
  const syllables = Array.from(text);
  const [first, last] = [samplesOf(startMs), samplesOf(endMs)];
  const length = (last - first) / Math.max(1, syllables.length);
  for (let at = Math.max(0, first); at < Math.min(last, samples.length); at += 1) {
    const syllable = Math.min(syllables.length - 1, Math.floor((at - first) / length));
    const through = ((at - first) % length) / length;
    const hz = pitchHz * (STEPS[(syllables[syllable]?.codePointAt(0) ?? 0) % STEPS.length] ?? 1);
    // Fades in and out to avoid clicks between syllables; an overtone makes it sound like a voice instead of a whistle.
    const turn = (2 * Math.PI * hz * at) / SAMPLE_RATE;
    const loudness = loudnessAt((at - first) / (last - first), syllable);
    samples[at] = AMPLITUDE * loudness * Math.sin(Math.PI * through) * (0.7 * Math.sin(turn) + 0.3 * Math.sin(2 * turn));
  }
}

/** `through`: position in the utterance, 0 to 1. */
function loudnessAt(through: number, syllable: number): number {
  return Math.max(SOFTEST, (1 - 0.4 * through) * (1 - ((syllable % WORD) / WORD) * 0.7));
}
