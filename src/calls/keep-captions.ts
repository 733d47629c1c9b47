import type { LiveCallStore } from './live-call-store.ts';
import type { OutcomeStore } from '#outcomes/outcome-store.ts';

export interface KeepCaptionsDeps {
  liveCalls: Pick<LiveCallStore, 'read'>;
  dials: Pick<OutcomeStore, 'keepCaptions'>;
}

/**
 * Stores the captions of a call as its transcript, unless a result has brought one.
 *
 * Why:    captions are removed with the live call, and a runtime that crashes loses its transcript
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 * Source: D7.7
 */
export async function keepCaptions({ liveCalls, dials }: KeepCaptionsDeps, requestId: string): Promise<void> {
  const [call] = await liveCalls.read([requestId]);
  if (call) await dials.keepCaptions(requestId, call.segments);
}
