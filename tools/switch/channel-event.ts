import { CAUSE_NUMBERS, type Channel, CHANNEL_STATES, type Ending } from './channel.ts';
import { dateText, secondsText, stampOf, stampText } from './clock-ticks.ts';
import { ANSWERED, ENDED_ANSWERED, ENDED_SILENT, ENDED_UNANSWERED, OFFERED, type Padding, RINGING } from './event-padding.ts';

type Headers = (readonly [string, string])[];

/**
 * Headers of a channel's event after the common ones.
 *
 * Source: test/fixtures/esl/README.md §2, recordings b-*
 */
export function channelHeaders(channel: Channel, withVariables = true): Headers {
  const { state } = channel;
  return [
    ['Channel-State', state],
    ['Channel-Call-State', channel.callState],
    ['Channel-State-Number', String(CHANNEL_STATES[state])],
    ['Channel-Name', channel.channelName],
    ['Unique-ID', channel.uuid],
    ['Call-Direction', channel.direction],
    ['Presence-Call-Direction', channel.direction],
    ['Channel-HIT-Dialplan', String(channel.running !== null)],
    ['Channel-Call-UUID', channel.uuid],
    ['Answer-State', answerState(channel)],
    ...callerHeaders(channel),
    ...(withVariables ? variableHeaders(channel) : []),
  ];
}

/** Constant headers for a channel in its current phase. */
export function paddingOf({ endedAt, answeredAt, progressAt, mediaAt, isRefusedByCallee }: Channel): Padding {
  if (endedAt !== null && answeredAt !== null) return ENDED_ANSWERED;
  if (endedAt !== null) return isRefusedByCallee || progressAt !== null || mediaAt !== null ? ENDED_UNANSWERED : ENDED_SILENT;
  if (answeredAt !== null) return ANSWERED;
  return progressAt === null && mediaAt === null ? OFFERED : RINGING;
}

/** Value of a channel variable, or of a field of the caller profile; null when there is none. */
export function variableOf(channel: Channel, name: string): string | null {
  const field = PROFILE_FIELDS[name];
  const isVariable = ([key]: readonly [string, string]) => key === `variable_${name}`;
  const variable = variableHeaders(channel).findLast(isVariable) ?? paddingOf(channel).headers.find(isVariable);
  return variable?.[1] ?? field?.(channel) ?? null;
}

/**
 * Fields that `uuid_getvar` knows beside variables.
 *
 * Why:    `answer_uepoch` and similar variables are set when the channel ends; before, they are undefined, answered or not
 */
const PROFILE_FIELDS: Readonly<Record<string, (channel: Channel) => string>> = {
  uuid: channel => channel.uuid,
  chan_name: channel => channel.channelName,
  destination_number: channel => channel.number,
  context: () => 'default',
  created_time: channel => stampText(channel.createdAt),
  answered_time: channel => stampText(channel.answeredAt),
  progress_time: channel => stampText(channel.progressAt),
  progress_media_time: channel => stampText(channel.mediaAt),
  hungup_time: channel => stampText(channel.endedAt),
};

function answerState(channel: Channel): string {
  if (channel.endedAt !== null) return 'hangup';
  if (channel.answeredAt !== null) return 'answered';
  return channel.mediaAt !== null ? 'early' : 'ringing';
}

function callerHeaders(channel: Channel): Headers {
  const caller = channel.variables.get('origination_caller_id_number') ?? '0000000000';
  const isFlipped = channel.answeredAt !== null;
  return [
    ['Caller-Direction', channel.direction],
    ['Caller-Logical-Direction', channel.direction],
    ['Caller-Caller-ID-Name', channel.variables.get('origination_caller_id_name') ?? ''],
    ['Caller-Caller-ID-Number', isFlipped ? channel.number : caller],
    ['Caller-Orig-Caller-ID-Number', caller],
    ['Caller-Callee-ID-Number', isFlipped ? caller : channel.number],
    ['Caller-Network-Addr', isFlipped ? '192.0.2.20' : ''],
    ['Caller-ANI', caller],
    ['Caller-Destination-Number', channel.number],
    ['Caller-Unique-ID', channel.uuid],
    ['Caller-Source', 'src/switch_ivr_originate.c'],
    ['Caller-Context', 'default'],
    ['Caller-Channel-Name', channel.channelName],
    ['Caller-Profile-Created-Time', stampText(channel.createdAt)],
    ['Caller-Channel-Created-Time', stampText(channel.createdAt)],
    ['Caller-Channel-Answered-Time', stampText(channel.answeredAt)],
    ['Caller-Channel-Progress-Time', stampText(channel.progressAt)],
    ['Caller-Channel-Progress-Media-Time', stampText(channel.mediaAt)],
    ['Caller-Channel-Hangup-Time', stampText(channel.endedAt)],
    ['Caller-Channel-Transfer-Time', '0'],
    ['Caller-Channel-Bridged-Time', '0'],
  ];
}

function variableHeaders(channel: Channel): Headers {
  const own: Headers = [
    ['variable_direction', channel.direction],
    ...(channel.direction === 'outbound' ? [['variable_is_outbound', 'true'] as const] : []),
    ['variable_uuid', channel.uuid],
    ['variable_call_uuid', channel.uuid],
    ['variable_session_id', String(channel.sessionId)],
    ['variable_channel_name', channel.channelName],
    ['variable_originate_endpoint', channel.endpoint],
  ];
  if (channel.gateway !== null) own.push(['variable_sip_gateway_name', channel.gateway]);
  if (channel.answeredAt !== null) own.push(['variable_endpoint_disposition', 'ANSWER']);
  if (channel.running !== null) own.push(['variable_current_application', channel.running.name]);
  for (const [name, value] of channel.variables) own.push([`variable_${name}`, value]);
  return own;
}

/** Headers that only CHANNEL_HANGUP_COMPLETE has: the cause, and the durations. */
export function endingHeaders(channel: Channel, ending: Ending): Headers {
  const endedAt = channel.endedAt ?? channel.createdAt;
  const q850 = ending.refusal?.q850 ?? CAUSE_NUMBERS[ending.cause] ?? 0;
  return [
    ...sipHeaders(channel, ending),
    ['variable_hangup_cause', ending.cause],
    ['variable_hangup_cause_q850', String(q850)],
    ['variable_last_app', channel.running?.name ?? ''],
    ...epochHeaders('start', channel.createdAt),
    ...epochHeaders('profile_start', channel.createdAt),
    ...epochHeaders('answer', channel.answeredAt),
    ...epochHeaders('progress', channel.progressAt),
    ...epochHeaders('progress_media', channel.mediaAt),
    ...epochHeaders('end', endedAt),
    ...lengthHeaders('duration', channel.createdAt, endedAt),
    ...lengthHeaders('bill', channel.answeredAt, endedAt),
  ];
}

function epochHeaders(what: string, at: number | null): Headers {
  const headers: Headers = [
    [`variable_${what}_epoch`, secondsText(at)],
    [`variable_${what}_uepoch`, stampText(at)],
  ];
  if (at !== null) headers.push([`variable_${what}_stamp`, dateText(at)]);
  return headers;
}

/** `duration` and `mduration`, `billsec` and `billmsec`. */
function lengthHeaders(what: 'duration' | 'bill', from: number | null, to: number): Headers {
  const seconds = from === null ? 0 : Math.floor(to / 1_000) - Math.floor(from / 1_000);
  const ms = from === null ? 0 : Math.round((stampOf(to) - stampOf(from)) / 1_000);
  const [secondsName, msName] = what === 'bill' ? ['billsec', 'billmsec'] : ['duration', 'mduration'];
  return [
    [`variable_${secondsName}`, String(seconds)],
    [`variable_${msName}`, String(ms)],
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
