import { type EslEvent, header } from '#platform/freeswitch/esl-codec.ts';
import { parseJobResult, toSwitchEvent } from '#platform/freeswitch/events.ts';
import type { SwitchEvent } from '#platform/freeswitch/switch.ts';

const LEGS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Describes events in words, with channels named A, B, … in order of appearance; null for events that concern no call. */
export function outcomeTeller(withConferences = false): (event: EslEvent) => string | null {
  const legs: string[] = [];
  const leg = (uuid: string) => {
    if (!legs.includes(uuid)) legs.push(uuid);
    return LEGS[legs.indexOf(uuid)] ?? 'later';
  };
  return event => {
    if (event.name === 'BACKGROUND_JOB' && header(event, 'Job-Command') === 'originate') {
      const result = parseJobResult(event.body);
      return result.kind === 'channel' ? `job +OK ${leg(result.uuid)}` : `job ${result.cause}`;
    }
    const fact = toSwitchEvent('cell-1', event);
    if (fact?.kind === 'conference') {
      if (!withConferences) return null;
      const who =
        fact.member === null
          ? ''
          : ` ${leg(fact.member.channelUuid)} #${fact.member.memberId} ${fact.member.canSpeak}/${fact.member.canHear}`;
      return `${fact.conferenceName} ${fact.action} ${fact.size}${who}`;
    }
    return fact === null ? null : `${leg(fact.requestId)} ${wordsOf(fact)}`;
  };
}

function wordsOf(fact: SwitchEvent): string {
  if (fact.kind === 'ringing') return fact.earlyMedia ? 'ringing early' : 'ringing';
  if (fact.kind !== 'hung_up') return fact.kind;
  const marks = [
    fact.answeredAt === null ? '' : ' answered',
    fact.progressAt === null ? '' : ' progressed',
    fact.isSilent ? ' silent' : '',
  ].join('');
  return `hung_up ${fact.cause} by ${fact.by}${marks}`;
}
