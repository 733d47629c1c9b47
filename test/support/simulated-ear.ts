import { amplitudeOf } from '#test/switch/tones.ts';
import type { SoundLeg, SwitchSound } from '#tools/switch/media/switch-sound.ts';
import { SAMPLE_RATE } from '#tools/sound/wav.ts';

/** A simulated person with a tone for a voice, and an ear for tones. Units: hertz Hz */
export interface TonePerson {
  /** Amplitude of a tone in what was heard last, 0 to 1. */
  hears(hertz: number): number;
  leave(): void;
}

const FRAME_SAMPLES = 160;
const AMPLITUDE = 9_000;
const FULL_SCALE = 32_768;
/** Frames that are listened to: 400 ms, in which tones 40 Hz apart differ. */
const HEARD_FRAMES = 20;

/** Gives the channel of a simulated customer real sound. */
export function tonePerson(sound: SwitchSound, uuid: string, hertz: number): TonePerson {
  const heard: Int16Array[] = [];
  let said = 0;
  const leg: SoundLeg = {
    take: () => Int16Array.from({ length: FRAME_SAMPLES }, () => AMPLITUDE * Math.sin((2 * Math.PI * hertz * said++) / SAMPLE_RATE)),
    give: frame => void (heard.push(frame) > HEARD_FRAMES && heard.shift()),
  };
  sound.join(uuid, leg);
  return {
    hears: other =>
      amplitudeOf(Float64Array.from(heard.flatMap(frame => [...frame].map(sample => sample / FULL_SCALE))), SAMPLE_RATE, other),
    leave: () => sound.leave(uuid),
  };
}
