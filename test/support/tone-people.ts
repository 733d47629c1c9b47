import { systemIds } from '#kernel/ids.ts';
import { header } from '#platform/freeswitch/esl-codec.ts';
import { amplitudeOf } from '#test/switch/tones.ts';
import type { SoundLeg, SwitchSound } from '#tools/switch/media/switch-sound.ts';
import { SAMPLE_RATE } from '#tools/sound/wav.ts';
import type { Watcher } from './switch-target.ts';
import { waitUntil } from './wait-until.ts';

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

/** Caller that a ringing phone shows. */
export const CALLER = '13800138000';

/** The switch calls an agent's phone; the uuid of the leg. */
export async function ringPhone(watcher: Watcher, extension: string, application: string): Promise<string> {
  const uuid = systemIds();
  const variables = `origination_uuid=${uuid},origination_caller_id_number=${CALLER},ignore_early_media=true`;
  await watcher.say(`bgapi originate {${variables}}user/${extension}@127.0.0.1 ${application}`);
  return uuid;
}

/** A customer of a switch by number, who answers at once and stays in the conference, with a tone and an ear. */
export async function toneCustomer(watcher: Watcher, sound: SwitchSound, { room, hertz }: { room: string; hertz: number }) {
  const uuid = systemIds();
  await watcher.say(`bgapi originate {origination_uuid=${uuid}}sofia/external/13800000005@127.0.0.1:5090 &conference(${room}@default)`);
  const hasJoined = () => watcher.events.some(event => header(event, 'Unique-ID') === uuid && header(event, 'Action') === 'add-member');
  await waitUntil('the customer in the room', hasJoined);
  return { uuid, ...tonePerson(sound, uuid, hertz) };
}
