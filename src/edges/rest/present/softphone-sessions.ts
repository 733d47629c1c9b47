import type { SoftphoneEventRow } from '#contract/rest/softphone-sessions.ts';
import { type SoftphoneCallDetail, utterancesOf } from '#operations/softphone-sessions/get-call.ts';
import type { SoftphoneEvent } from '#ports/softphone-session-store.ts';
import { presentInstant } from './instant.ts';

const maybeInstant = (at: number | null) => (at === null ? null : presentInstant(at));

/** Source: OCS 4.14 */
export function presentSoftphoneDetail({ call, events }: SoftphoneCallDetail) {
  const {
    legs: _legs,
    lineId: _line,
    callerNumber: _caller,
    callStatus: _status,
    hangupBy: _by,
    recordingUrl,
    userId: _user,
    ...rest
  } = call;
  return {
    call: {
      ...rest,
      softphoneCallId: call.id,
      answeredAt: maybeInstant(call.answeredAt),
      endedAt: maybeInstant(call.endedAt),
      createdAt: presentInstant(call.createdAt),
      updatedAt: presentInstant(call.updatedAt),
    },
    timeline: events.filter(({ kind }) => kind !== 'tts').map(presentEvent),
    ttsEvents: events.filter(({ kind }) => kind === 'tts').map(presentEvent),
    recording: { recordingUrl, cellId: call.cellId },
    transcript: utterancesOf(events).map(({ at, ...said }) => ({ ...said, at: presentInstant(at) })),
  };
}

function presentEvent({ id, kind, data, createdAt }: SoftphoneEvent): SoftphoneEventRow {
  return { id, kind, data, at: presentInstant(createdAt) };
}
