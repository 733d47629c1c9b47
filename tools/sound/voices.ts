import { SAMPLE_RATE, samplesOf } from './wav.ts';

/** What is heard of one utterance. Units: ms from the sound's beginning */
export interface Utterance {
  /** Of the voice, Hz. */
  pitchHz: number;
  /** A syllable a character: what is said sounds as long and as much as it is. */
  text: string;
  startMs: number;
  endMs: number;
}

const AMPLITUDE = 11_000;
/** Loudness falls to the end of a sentence, and so does a word. */
const WORD = 4;
const SOFTEST = 0.25;
/** Pitches of syllables around that of the voice, by what is said. */
const STEPS = [0.84, 0.92, 1, 1.07, 1.16] as const;

/** Tones in the place of voices, each utterance where it was said; what lies beyond the length is left out. */
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
    // Swells and fades, so that neither syllables nor their ends click; an overtone makes it a voice rather than a whistle.
    const turn = (2 * Math.PI * hz * at) / SAMPLE_RATE;
    const loudness = loudnessAt((at - first) / (last - first), syllable);
    samples[at] = AMPLITUDE * loudness * Math.sin(Math.PI * through) * (0.7 * Math.sin(turn) + 0.3 * Math.sin(2 * turn));
  }
}

/** `through` of 0 to 1. */
function loudnessAt(through: number, syllable: number): number {
  return Math.max(SOFTEST, (1 - 0.4 * through) * (1 - ((syllable % WORD) / WORD) * 0.7));
}
