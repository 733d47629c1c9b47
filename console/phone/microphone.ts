import { microphoneTrouble, troubleOf, type Trouble } from './trouble.ts';
import { phoneSettings } from './kept-settings.ts';

/** Number of samples of which a level is measured. */
const SAMPLES = 512;
/** Loudness at which the meter is full, as a share of the largest amplitude. */
const FULL = 0.3;

/** The chosen microphone; the system's when the chosen one is unplugged. Errors: DOMException as `getUserMedia` throws */
export async function openMicrophone(): Promise<MediaStream> {
  const { microphoneId, isFiltered } = phoneSettings();
  const filters = { echoCancellation: isFiltered, noiseSuppression: isFiltered, autoGainControl: isFiltered };
  const open = (device: MediaTrackConstraints) => navigator.mediaDevices.getUserMedia({ audio: { ...filters, ...device }, video: false });
  if (microphoneId === null) return open({});
  return open({ deviceId: { exact: microphoneId } }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'OverconstrainedError') return open({});
    throw error;
  });
}

/** Why the microphone failed. */
export function troubleOfMicrophone(error: unknown): Trouble {
  return microphoneTrouble(error instanceof Error ? error.name : '');
}

/** Opens the microphone once, so that the browser asks for permission now and not when a call rings. */
export async function askForMicrophone(): Promise<Trouble | null> {
  try {
    closeStream(await openMicrophone());
    return null;
  } catch (error) {
    return troubleOfMicrophone(error);
  }
}

/** The known problem with the microphone before the first call; null when there is none. */
export async function microphoneInTheWay(): Promise<Trouble | null> {
  const permission = await permissionNow();
  if (permission?.state === 'denied') return troubleOf('microphoneDenied');
  return permission?.state === 'prompt' ? troubleOf('microphoneUnasked') : null;
}

/** Null where the browser does not tell. */
function permissionNow(): Promise<PermissionStatus | null> {
  return navigator.permissions.query({ name: 'microphone' }).catch(() => null);
}

/** Calls back when the user has changed the permission in the browser. */
export async function onMicrophonePermission(listener: () => void, signal: AbortSignal): Promise<void> {
  const permission = await permissionNow();
  permission?.addEventListener('change', listener, { signal });
}

export function closeStream(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Reports the loudness of a stream, 0..1, at each paint until the returned function is called. */
export function meterStream(stream: MediaStream, show: (level: number) => void): () => void {
  const audio = new AudioContext();
  const analyser = new AnalyserNode(audio, { fftSize: SAMPLES });
  audio.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(SAMPLES);
  let frame = requestAnimationFrame(function measure() {
    analyser.getFloatTimeDomainData(samples);
    show(Math.min(Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / SAMPLES) / FULL, 1));
    frame = requestAnimationFrame(measure);
  });
  return () => {
    cancelAnimationFrame(frame);
    void audio.close();
  };
}
