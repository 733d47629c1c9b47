import { phoneSettings } from './kept-settings.ts';

/** Tone of a phone that rings: two frequencies, in Hz, and how long sound and pause last, in s. */
const RING = { frequencies: [440, 480], soundSeconds: 1, pauseSeconds: 2 };
const VOLUME = 0.12;
const FADE_SECONDS = 0.02;
/** Short tones: before a call is answered by itself, after it has ended, and of the test. Units: Hz, s */
const NOTES = { answered: [660, 880], ended: [480, 360], test: [523, 659, 784] } as const;
const NOTE_SECONDS = 0.14;

let context: AudioContext | null = null;
let outlet: { element: HTMLAudioElement; node: MediaStreamAudioDestinationNode } | null = null;
let ring: { stop: () => void } | null = null;

/** Whether the browser keeps back sound until the user has clicked or typed on the page. */
export function isSoundBlocked(): boolean {
  return context !== null && context.state === 'suspended';
}

/** Tries to switch sound on; succeeds within a gesture. */
export async function unblockSound(): Promise<void> {
  await context?.resume();
  await outlet?.element.play().catch(() => undefined);
}

/** Calls back at each click and key, within which browsers allow sound. */
export function onGesture(listener: () => void): () => void {
  const kinds = ['pointerdown', 'keydown'] as const;
  for (const kind of kinds) addEventListener(kind, listener);
  return () => {
    for (const kind of kinds) removeEventListener(kind, listener);
  };
}

/** Rings until `stopRing`, at the device chosen for ringing. */
export function startRing(): void {
  if (ring) return;
  const { audio, node } = prepare();
  void audio.resume();
  void aim('ringerId');
  const period = RING.soundSeconds + RING.pauseSeconds;
  let beginsAt = audio.currentTime;
  const sound = () => {
    playTone({ audio, node, frequencies: RING.frequencies, from: beginsAt, seconds: RING.soundSeconds });
    beginsAt += period;
  };
  sound();
  const timer = setInterval(sound, period * 1000);
  ring = { stop: () => clearInterval(timer) };
}

export function stopRing(): void {
  ring?.stop();
  ring = null;
  // Tones that have begun belong to the old context.
  const old = context;
  context = null;
  outlet = null;
  void old?.close();
}

/** Plays a short sequence: at the ring device for the test, else where the agent listens. */
export function playNotes(name: keyof typeof NOTES): void {
  const { audio, node } = prepare();
  void audio.resume();
  void aim(name === 'test' ? 'ringerId' : 'speakerId');
  for (const [index, frequency] of NOTES[name].entries()) {
    playTone({ audio, node, frequencies: [frequency], from: audio.currentTime + index * NOTE_SECONDS, seconds: NOTE_SECONDS });
  }
}

interface Tone {
  audio: AudioContext;
  node: AudioNode;
  frequencies: readonly number[];
  from: number;
  seconds: number;
}

function playTone({ audio, node, frequencies, from, seconds }: Tone): void {
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, from);
  volume.gain.linearRampToValueAtTime(VOLUME, from + FADE_SECONDS);
  volume.gain.setValueAtTime(VOLUME, from + seconds - FADE_SECONDS);
  volume.gain.linearRampToValueAtTime(0, from + seconds);
  volume.connect(node);
  for (const frequency of frequencies) {
    const tone = new OscillatorNode(audio, { frequency });
    tone.connect(volume);
    tone.start(from);
    tone.stop(from + seconds);
  }
}

/** An audio element plays the tones, because only elements can choose their device in every browser. */
function prepare(): { audio: AudioContext; node: MediaStreamAudioDestinationNode } {
  context ??= new AudioContext();
  if (!outlet) {
    const node = new MediaStreamAudioDestinationNode(context);
    const element = new Audio();
    element.srcObject = node.stream;
    element.play().catch(() => undefined);
    outlet = { element, node };
  }
  return { audio: context, node: outlet.node };
}

async function aim(device: 'ringerId' | 'speakerId'): Promise<void> {
  await useSink(outlet?.element, phoneSettings()[device]);
}

/** Plays an element at a device; at the system's own when the device is gone or the browser cannot choose. */
export async function useSink(element: HTMLAudioElement | undefined, deviceId: string | null): Promise<void> {
  if (!element || !('setSinkId' in element)) return;
  await element.setSinkId(deviceId ?? '').catch(() => element.setSinkId(''));
}
