import { type RefObject, useEffect, useRef, useState } from 'react';
import type WaveSurfer from 'wavesurfer.js';
import { fetchFile } from '../../api/fetch-file.ts';

export interface Player {
  /** Element in which the waveform is drawn. */
  place: RefObject<HTMLDivElement | null>;
  /** `unheard` until the first play: nothing is fetched before, because the server audits each download. */
  state: 'unheard' | 'loading' | 'ready' | 'failed';
  fault: Error | null;
  isPlaying: boolean;
  /** Position, in ms from the beginning. */
  atMs: number;
  /** Length of the recording, in ms; 0 while unknown. */
  lengthMs: number;
  speed: number;
  setSpeed: (speed: number) => void;
  /** Plays or pauses. */
  toggle: () => void;
  playFrom: (ms: number) => void;
}

const NOTHING = { state: 'unheard', fault: null, isPlaying: false, atMs: 0, lengthMs: 0, speed: 1 } as const;
type Heard = Pick<Player, 'state' | 'fault' | 'isPlaying' | 'atMs' | 'lengthMs' | 'speed'>;

/** Plays a call's recording with its waveform. `url` null: there is none that the user may hear. */
export function usePlayer(url: string | null): Player {
  const place = useRef<HTMLDivElement>(null);
  const wave = useRef<WaveSurfer | null>(null);
  const leaving = useRef<AbortController | null>(null);
  const [heard, setHeard] = useState<Heard>(NOTHING);
  const change = (news: Partial<Heard>) => setHeard(before => ({ ...before, ...news }));

  // Stop the playback when the user leaves the call or opens another.
  useEffect(
    () => () => {
      leaving.current?.abort();
      wave.current?.destroy();
      wave.current = null;
      setHeard(NOTHING);
    },
    [url],
  );

  async function open(fromMs: number): Promise<void> {
    if (url === null || place.current === null || heard.state === 'loading') return;
    const gone = new AbortController();
    leaving.current = gone;
    change({ state: 'loading', fault: null });
    try {
      const [sound, { drawWave }] = await Promise.all([fetchFile(url, gone.signal), import('./draw-wave.ts')]);
      if (gone.signal.aborted) return;
      const drawn = drawWave(place.current, {
        onMove: atMs => change({ atMs }),
        onPlaying: isPlaying => change({ isPlaying }),
      });
      wave.current = drawn;
      await drawn.loadBlob(sound);
      change({ state: 'ready', lengthMs: drawn.getDuration() * 1_000 });
      playAt(drawn, fromMs);
    } catch (error) {
      if (gone.signal.aborted) return;
      wave.current?.destroy();
      wave.current = null;
      change({ state: 'failed', fault: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  return {
    ...heard,
    place,
    setSpeed(speed) {
      wave.current?.setPlaybackRate(speed);
      change({ speed });
    },
    toggle: () => void (wave.current ? wave.current.playPause() : open(0)),
    playFrom: ms => void (wave.current ? playAt(wave.current, ms) : open(ms)),
  };
}

function playAt(wave: WaveSurfer, ms: number): void {
  wave.setTime(Math.min(ms / 1_000, wave.getDuration()));
  // The browser may require a click first; the play button is there for it.
  void wave.play().catch(() => undefined);
}
