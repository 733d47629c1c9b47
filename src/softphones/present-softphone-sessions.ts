import { type SoftphoneCallDetail, utterancesOf } from './get-call.ts';
import type { SoftphoneEvent } from './softphone-session-store.ts';

/** Source: OCS 4.14 */
export function presentSoftphoneDetail({ call, events }: SoftphoneCallDetail) {
  return {
    call: { ...call, softphoneCallId: call.id },
    timeline: events.filter(({ kind }) => kind !== 'tts').map(withTime),
    ttsEvents: events.filter(({ kind }) => kind === 'tts').map(withTime),
    recording: { recordingUrl: call.recordingUrl, cellId: call.cellId },
    transcript: utterancesOf(events),
  };
}

const withTime = (event: SoftphoneEvent) => ({ ...event, at: event.createdAt });
