import { type CallStatus, callStatusOf } from '#protocol/call-status.ts';
import type { RingbackDetection } from '#attempts/attempt.ts';
import type { SwitchEvent } from '#platform/freeswitch/switch.ts';
import type { Platform } from '#platform/platform.ts';
import type { ClaimedDial, DialsPart } from './dial-store.ts';

export interface RecordedProgress {
  detection: RingbackDetection;
  callStatus: CallStatus | null;
}

export interface RingbackListener {
  /** The first progress of a dial, recorded with its attempt. */
  firstProgress(requestId: string): Promise<RecordedProgress>;
  stop(): void;
}

interface FirstProgress {
  status: RingbackDetection['status'];
  callStatus: CallStatus | null;
  elapsedMs: number;
}

/**
 * Listens for the first progress of dials; to be started before they are sent, so that nothing is missed.
 *
 * Units:  `timeoutMs` ms, counted from the call of `firstProgress`
 * Source: D7.6
 */
export function listenForRingback(
  app: DialsPart & Pick<Platform, 'switchPort' | 'clock'>,
  dials: readonly ClaimedDial[],
  timeoutMs: number,
): RingbackListener {
  const began = app.clock.monotonic();
  const elapsedMs = () => Math.round(app.clock.monotonic() - began);
  const first = new Map(dials.map(dial => [dial.requestId, Promise.withResolvers<FirstProgress>()]));
  const stop = app.switchPort.subscribe(event => {
    const progress = 'requestId' in event ? progressOf(event) : null;
    if (progress && 'requestId' in event) first.get(event.requestId)?.resolve({ ...progress, elapsedMs: elapsedMs() });
  });
  return {
    stop,
    async firstProgress(requestId) {
      const entry = first.get(requestId);
      const cancel = app.clock.schedule(timeoutMs, () => entry?.resolve({ status: 'timeout', callStatus: null, elapsedMs: elapsedMs() }));
      const progress = entry ? await entry.promise : { status: 'timeout' as const, callStatus: null, elapsedMs: 0 };
      cancel();
      const detection: RingbackDetection = { status: progress.status, detectionSource: 'switch_event', elapsedMs: progress.elapsedMs };
      await app.dials.recordRingback(requestId, detection, progress.callStatus);
      return { detection, callStatus: progress.callStatus };
    },
  };
}

function progressOf(event: SwitchEvent): Omit<FirstProgress, 'elapsedMs'> | null {
  switch (event.kind) {
    case 'ringing':
      return { status: event.earlyMedia ? 'early_media' : 'ringback', callStatus: 'ringing' };
    case 'answered':
      return { status: 'answered', callStatus: 'answered' };
    case 'hung_up': {
      const callStatus = callStatusOf(event.cause);
      return { status: callStatus === 'busy' ? 'busy' : 'none', callStatus };
    }
    case 'channel_created':
    case 'cell_up':
    case 'conference':
    case 'cell_down':
      return null;
    default:
      return event satisfies never;
  }
}
