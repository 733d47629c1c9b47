import { type RefObject, useEffect, useRef, useState } from 'react';
import type WaveSurfer from 'wavesurfer.js';
import { fetchFile } from '../../api/fetch-file.ts';

export interface Player {
  /** Where the waveform is drawn. */
  place: RefObject<HTMLDivElement | null>;
  /** Nothing is fetched before somebody wants to hear it: who hears a call is kept. */
  state: 'unheard' | 'loading' | 'ready' | 'failed';
  fault: Error | null;
  isPlaying: boolean;
  /** Since its beginning, ms. */
  atMs: number;
  /** Of the whole, ms; 0 as long as nobody knows. */
  lengthMs: number;
  speed: number;
  setSpeed: (speed: number) => void;
  /** Plays, or pauses. */
  toggle: () => void;
  playFrom: (ms: number) => void;
}

const NOTHING = { state: 'unheard', fault: null, isPlaying: false, atMs: 0, lengthMs: 0, speed: 1 } as const;
type Heard = Pick<Player, 'state' | 'fault' | 'isPlaying' | 'atMs' | 'lengthMs' | 'speed'>;

/** Plays a call's recording beside its waveform. `url` null: there is none that one may hear. */
export function usePlayer(url: string | null): Player {
  const place = useRef<HTMLDivElement>(null);
  const wave = useRef<WaveSurfer | null>(null);
  const leaving = useRef<AbortController | null>(null);
  const [heard, setHeard] = useState<Heard>(NOTHING);
  const change = (news: Partial<Heard>) => setHeard(before => ({ ...before, ...news }));

  // Leaving the call, or going on to another, ends its sound.
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
  // A browser may want a click first; the button is there for it.
  void wave.play().catch(() => undefined);
}
