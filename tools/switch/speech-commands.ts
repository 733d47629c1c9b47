import { type Speaker, SPEAKERS } from './media/speech.ts';
import { SAMPLE_RATE } from '../sound/wav.ts';
import type { SwitchCore } from './switch-core.ts';

/** A runtime's request to speak beside the switch, on the channel of the customer. */
interface SpeakOrder {
  uuid: string;
  speaker: Speaker;
  text: string;
}

const UNHEARD = '+OK unheard\n';
const SPEAK = 'callout_speak ';

/**
 * `callout_speak {"uuid":"…","speaker":"bot","text":"…"}`: replies `+OK <ms>` when the sound begins, or `+OK unheard` where nobody with real
 * sound listens. Null when the line is another command.
 */
export function speakCommand(line: string, core: SwitchCore): Promise<string> | null {
  return line.startsWith(SPEAK) ? speak(orderOf(line.slice(SPEAK.length)), core) : null;
}

async function speak(order: SpeakOrder | null, core: SwitchCore): Promise<string> {
  if (order === null) return '-ERR uuid, speaker, text\n';
  const { sound, speech } = core.options;
  const channel = core.channels.get(order.uuid);
  if (channel) channel.hasRuntime = true;
  if (!sound.isHeard(order.uuid)) return UNHEARD;
  const samples = await speech.soundOf(order.speaker, order.text);
  sound.speak(order.uuid, samples);
  return `+OK ${Math.round((samples.length * 1_000) / SAMPLE_RATE)}\n`;
}

function orderOf(text: string): SpeakOrder | null {
  const { uuid, speaker: told, text: words } = membersOfJson(text);
  const speaker = SPEAKERS.find(known => known === told);
  return typeof uuid === 'string' && typeof words === 'string' && speaker !== undefined ? { uuid, speaker, text: words } : null;
}

function membersOfJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {}; // the reply says what is wanted
  }
}
