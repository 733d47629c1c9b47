import type { DialStore } from '#ports/dial-store.ts';
import type { LiveCallStore } from '#ports/live-call-store.ts';

export interface KeepCaptionsDeps {
  liveCalls: Pick<LiveCallStore, 'read'>;
  dials: Pick<DialStore, 'keepCaptions'>;
}

/**
 * What captions told of a call becomes its transcript, for no result has brought one.
 *
 * Why:    captions are forgotten with the live call, and a runtime that dies takes its transcript with it
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 * Source: D7.7
 */
export async function keepCaptions({ liveCalls, dials }: KeepCaptionsDeps, requestId: string): Promise<void> {
  const [call] = await liveCalls.read([requestId]);
  if (call) await dials.keepCaptions(requestId, call.segments);
}
