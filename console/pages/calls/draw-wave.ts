import WaveSurfer from 'wavesurfer.js';

interface WaveEvents {
  onMove: (atMs: number) => void;
  onPlaying: (isPlaying: boolean) => void;
}

const HEIGHT = 64;
/** Interval at which the transcript follows the recording, in ms: it highlights sentences, not syllables. */
const MOVE_MS = 80;

/** Draws the waveform in the theme's colours; its library loads with the first recording. */
export function drawWave(container: HTMLElement, { onMove, onPlaying }: WaveEvents): WaveSurfer {
  const colours = getComputedStyle(container);
  const wave = WaveSurfer.create({
    container,
    height: HEIGHT,
    barWidth: 2,
    barGap: 1,
    barRadius: 2,
    normalize: true,
    dragToSeek: true,
    waveColor: colours.getPropertyValue('--rest-fill'),
    progressColor: colours.getPropertyValue('--mantine-primary-color-filled'),
    cursorColor: colours.getPropertyValue('--quiet'),
    cspNonce: document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '',
  });
  let toldAt = 0;
  wave.on('timeupdate', seconds => {
    const now = performance.now();
    if (wave.isPlaying() && now - toldAt < MOVE_MS) return;
    toldAt = now;
    onMove(seconds * 1_000);
  });
  wave.on('play', () => onPlaying(true));
  wave.on('pause', () => onPlaying(false));
  wave.on('finish', () => onPlaying(false));
  return wave;
}
