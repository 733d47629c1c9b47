import type { SwitchEvent } from '#ports/switch.ts';
import { type EslEvent, header } from './esl-codec.ts';
import { isCalleeDoing } from './hangup-cause.ts';

type ChannelFact = Exclude<SwitchEvent, { kind: 'cell_up' | 'cell_down' }>;
type Common = Pick<ChannelFact, 'cellId' | 'requestId' | 'at' | 'eventId'>;

/**
 * The fact in a decoded event; null when it is none for the port.
 *
 * Why:    matches by Unique-ID alone: caller id and destination change during a call, and a loopback's other leg carries our variables too.
 *         Order is not kept by the switch, so each event is judged by itself
 * Source: fixtures/esl/README.md §2, §3
 */
export function toSwitchEvent(cellId: string, event: EslEvent): ChannelFact | null {
  const common = commonOf(cellId, event);
  if (common === null) return null;
  switch (event.name) {
    case 'CHANNEL_CREATE':
      return { ...common, kind: 'channel_created' };
    case 'CHANNEL_PROGRESS':
      return { ...common, kind: 'ringing', earlyMedia: false };
    case 'CHANNEL_PROGRESS_MEDIA':
      return { ...common, kind: 'ringing', earlyMedia: true };
    case 'CHANNEL_ANSWER':
      return { ...common, kind: 'answered' };
    case 'CHANNEL_HANGUP_COMPLETE':
      return hangUpOf(common, event);
    default:
      return null;
  }
}

function commonOf(cellId: string, event: EslEvent): Common | null {
  const requestId = header(event, 'Unique-ID');
  const [core, sequence] = [header(event, 'Core-UUID'), header(event, 'Event-Sequence')];
  const at = instant(event, 'Event-Date-Timestamp');
  if (requestId === null || core === null || sequence === null || at === null) return null;
  return { cellId, requestId, at, eventId: `${core}:${sequence}` };
}

function hangUpOf(common: Common, event: EslEvent): ChannelFact {
  const cause = header(event, 'Hangup-Cause') ?? header(event, 'variable_hangup_cause') ?? 'NONE';
  const [ringing, media] = [instant(event, 'Caller-Channel-Progress-Time'), instant(event, 'Caller-Channel-Progress-Media-Time')];
  return {
    ...common,
    kind: 'hung_up',
    cause,
    by: endedBy(header(event, 'variable_sip_hangup_disposition'), cause),
    answeredAt: instant(event, 'Caller-Channel-Answered-Time'),
    progressAt: ringing !== null && media !== null ? Math.min(ringing, media) : (ringing ?? media),
  };
}

/** A refusal counts as the customer's only when it is one that a person gives: 404 and 503 come from the network. */
function endedBy(disposition: string | null, cause: string): 'customer' | 'system' | null {
  if (disposition === null) return null;
  if (disposition.startsWith('send_')) return 'system';
  if (disposition === 'recv_refuse') return isCalleeDoing(cause) ? 'customer' : null;
  return disposition === 'recv_bye' || disposition === 'recv_cancel' ? 'customer' : null;
}

/** Microseconds as UTC ms; 0 is never. */
function instant(event: EslEvent, name: string): number | null {
  const micros = Number(header(event, name) ?? 0);
  return Number.isSafeInteger(micros) && micros > 0 ? Math.floor(micros / 1_000) : null;
}
