import type { Channel } from './channel.ts';
import type { Hearing, SwitchSound } from './media/switch-sound.ts';

/** Parts of the switch that decide between which channels sound flows. */
export interface HearingSide {
  readonly channels: ReadonlyMap<string, Channel>;
  readonly bridges: { partnerOf(channel: Channel): Channel | null };
  readonly conferences: {
    heardBy(channel: Channel): Channel[];
    placeOf(channel: Channel): { room: string; isOnHold: boolean } | null;
  };
}

const NOTHING: Hearing = { others: [], background: null };
const CONFERENCE = /^&conference\(([^@+)]+)/;

/** The sources that a channel hears: its partner, the members of its conference, or the call that it eavesdrops on. */
export function hearingOf(side: HearingSide, sound: Pick<SwitchSound, 'isHeld'>, uuid: string): Hearing {
  const channel = side.channels.get(uuid);
  if (!channel) return NOTHING;
  const partner = side.bridges.partnerOf(channel);
  if (partner !== null) return { others: [partner.uuid], background: sound.isHeld(partner.uuid) ? 'music' : null };
  const place = side.conferences.placeOf(channel);
  if (place === null) return { others: [...eavesdropped(side, channel), ...barging(side, channel)], background: null };
  const others = side.conferences.heardBy(channel).map(other => other.uuid);
  if (place.isOnHold) return { others, background: 'music' };
  return { others, background: others.length === 0 && isAwaited(side, place.room) ? 'ringback' : null };
}

/** `eavesdrop <uuid>`: that channel and all channels that it hears. */
function eavesdropped(side: HearingSide, { running }: Channel): string[] {
  const target = running?.name === 'eavesdrop' ? side.channels.get(running.data) : undefined;
  if (!target) return [];
  const partner = side.bridges.partnerOf(target);
  const others = partner === null ? side.conferences.heardBy(target) : [partner];
  return [target, ...others].map(other => other.uuid);
}

/** A barging voice is mixed into the audio that the switch sends, and a parked channel is sent nothing unless it asks for silence. */
function barging({ channels }: HearingSide, { uuid, variables }: Channel): string[] {
  if (!Number(variables.get('send_silence_when_idle'))) return [];
  const isBarging = ({ running, variables: own }: Channel) =>
    running?.name === 'eavesdrop' && running.data === uuid && own.get('eavesdrop_whisper_bleg') === 'true';
  return channels
    .values()
    .filter(isBarging)
    .map(other => other.uuid)
    .toArray();
}

/** Whether a phone rings that will enter the conference. */
function isAwaited({ channels }: HearingSide, room: string): boolean {
  return channels
    .values()
    .some(
      ({ application, answeredAt, progressAt }) => answeredAt === null && progressAt !== null && CONFERENCE.exec(application)?.[1] === room,
    );
}
