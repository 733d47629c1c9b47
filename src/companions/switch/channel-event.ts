import type { Channel, Ending } from './channel.ts';
import { CAUSE_NUMBERS } from './channel.ts';

type Headers = (readonly [string, string])[];

const micros = (at: number | null): string => (at === null ? '0' : String(Math.round(at * 1_000)));
const seconds = (at: number | null): string => (at === null ? '0' : String(Math.floor(at / 1_000)));

/**
 * Headers that a channel's event carries after the common ones.
 *
 * Source: fixtures/esl/README.md §2, recordings b-*
 */
export function channelHeaders(channel: Channel, eventName: string, withVariables = true): Headers {
  const callState = channel.endedAt !== null ? 'HANGUP' : channel.answeredAt !== null && eventName !== 'CHANNEL_ANSWER' ? 'ACTIVE' : 'DOWN';
  return [
    ['Channel-State', channel.endedAt !== null ? 'CS_REPORTING' : eventName === 'CHANNEL_CREATE' ? 'CS_INIT' : 'CS_CONSUME_MEDIA'],
    ['Channel-Call-State', callState],
    ['Channel-Name', channel.channelName],
    ['Unique-ID', channel.uuid],
    ['Call-Direction', 'outbound'],
    ['Presence-Call-Direction', 'outbound'],
    ['Channel-HIT-Dialplan', String(channel.answeredAt !== null)],
    ['Channel-Call-UUID', channel.uuid],
    ['Answer-State', answerState(channel)],
    ...callerHeaders(channel),
    ...(withVariables ? variableHeaders(channel) : []),
  ];
}

function answerState(channel: Channel): string {
  if (channel.endedAt !== null) return 'hangup';
  if (channel.answeredAt !== null) return 'answered';
  return channel.mediaAt !== null ? 'early' : 'ringing';
}

function callerHeaders(channel: Channel): Headers {
  const caller = channel.variables.get('origination_caller_id_number') ?? '0000000000';
  const isFlipped = channel.answeredAt !== null;
  return [
    ['Caller-Direction', 'outbound'],
    ['Caller-Logical-Direction', 'outbound'],
    ['Caller-Caller-ID-Name', channel.variables.get('origination_caller_id_name') ?? ''],
    ['Caller-Caller-ID-Number', isFlipped ? channel.number : caller],
    ['Caller-Orig-Caller-ID-Number', caller],
    ['Caller-Callee-ID-Number', isFlipped ? caller : channel.number],
    ['Caller-ANI', caller],
    ['Caller-Destination-Number', channel.number],
    ['Caller-Unique-ID', channel.uuid],
    ['Caller-Source', 'src/switch_ivr_originate.c'],
    ['Caller-Context', 'default'],
    ['Caller-Channel-Name', channel.channelName],
    ['Caller-Channel-Created-Time', micros(channel.createdAt)],
    ['Caller-Channel-Answered-Time', micros(channel.answeredAt)],
    ['Caller-Channel-Progress-Time', micros(channel.progressAt)],
    ['Caller-Channel-Progress-Media-Time', micros(channel.mediaAt)],
    ['Caller-Channel-Hangup-Time', micros(channel.endedAt)],
  ];
}

function variableHeaders(channel: Channel): Headers {
  const own: Headers = [
    ['variable_direction', 'outbound'],
    ['variable_is_outbound', 'true'],
    ['variable_uuid', channel.uuid],
    ['variable_call_uuid', channel.uuid],
    ['variable_session_id', String(channel.sessionId)],
    ['variable_channel_name', channel.channelName],
    ['variable_originate_endpoint', channel.endpoint],
  ];
  if (channel.gateway !== null) own.push(['variable_sip_gateway_name', channel.gateway]);
  for (const [name, value] of channel.variables) own.push([`variable_${name}`, value]);
  return own;
}

/** Headers that only CHANNEL_HANGUP_COMPLETE has: how it ended and how long it took. */
export function endingHeaders(channel: Channel, ending: Ending): Headers {
  const endedAt = channel.endedAt ?? channel.createdAt;
  const billMs = channel.answeredAt === null ? 0 : endedAt - channel.answeredAt;
  const q850 = ending.refusal?.q850 ?? CAUSE_NUMBERS[ending.cause] ?? 0;
  return [
    ...sipHeaders(channel, ending),
    ['variable_hangup_cause', ending.cause],
    ['variable_hangup_cause_q850', String(q850)],
    ['variable_start_epoch', seconds(channel.createdAt)],
    ['variable_answer_epoch', seconds(channel.answeredAt)],
    ['variable_progress_epoch', seconds(channel.progressAt)],
    ['variable_progress_media_epoch', seconds(channel.mediaAt)],
    ['variable_end_epoch', seconds(endedAt)],
    ['variable_duration', String(Math.floor((endedAt - channel.createdAt) / 1_000))],
    ['variable_billsec', String(Math.floor(billMs / 1_000))],
    ['variable_mduration', String(Math.round(endedAt - channel.createdAt))],
    ['variable_billmsec', String(Math.round(billMs))],
  ];
}

function sipHeaders(channel: Channel, ending: Ending): Headers {
  if (ending.disposition === null) return [];
  const headers: Headers = [['variable_sip_hangup_disposition', ending.disposition]];
  if (ending.disposition === 'send_cancel') {
    headers.push(['variable_sip_invite_failure_status', '487'], ['variable_sip_invite_failure_phrase', 'CANCEL']);
  } else if (ending.refusal) {
    const { sipStatus, sipPhrase } = ending.refusal;
    headers.push(['variable_sip_invite_failure_status', String(sipStatus)], ['variable_sip_invite_failure_phrase', sipPhrase]);
    headers.push(['variable_sip_term_status', String(sipStatus)]);
  } else if (channel.answeredAt !== null) {
    headers.push(['variable_sip_term_status', '200']);
  }
  return headers;
}
