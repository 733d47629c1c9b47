import { SAMPLE_RATE } from '../../sound/wav.ts';
import { type Frame, FRAME_MS, FRAME_SAMPLES } from './frame.ts';

/** The background where nobody speaks: music on hold, or the tone of a phone that rings elsewhere. */
export type Background = 'music' | 'ringback';

/** The ringback of China: 450 Hz for 1 s, then 4 s of silence. Source: GB/T 3380 */
const RINGBACK = { hz: 450, onMs: 1_000, cycleMs: 5_000 } as const;
/** A melody that the project makes itself: a pentatonic scale up and down, in Hz and ms. */
const MELODY_HZ = [262, 294, 330, 392, 440, 392, 330, 294] as const;
const NOTE_MS = 400;
const AMPLITUDE = 3_500;

/** The frame with this number of an endless background. */
export function backgroundFrame(background: Background, index: number): Frame {
  const atMs = index * FRAME_MS;
  return Int16Array.from({ length: FRAME_SAMPLES }, (_, sample) => {
    const ms = atMs + (sample * 1_000) / SAMPLE_RATE;
    return background === 'music' ? musicAt(ms) : ringbackAt(ms);
  });
}

function ringbackAt(ms: number): number {
  return ms % RINGBACK.cycleMs < RINGBACK.onMs ? AMPLITUDE * wave(RINGBACK.hz, ms) : 0;
}

/** Each note fades in and out, so that none clicks. */
function musicAt(ms: number): number {
  const hz = MELODY_HZ[Math.floor(ms / NOTE_MS) % MELODY_HZ.length] ?? MELODY_HZ[0];
  return AMPLITUDE * Math.sin((Math.PI * (ms % NOTE_MS)) / NOTE_MS) * wave(hz, ms);
}

function wave(hz: number, ms: number): number {
  return Math.sin((2 * Math.PI * hz * ms) / 1_000);
}
