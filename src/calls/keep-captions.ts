import type { LiveCallReadPart } from './live-call-store.ts';
import type { OutcomesPart } from '#outcomes/outcome-store.ts';

/**
 * Stores the captions of a call as its transcript, unless a result has brought one.
 *
 * Why:    captions are removed with the live call, and a runtime that crashes loses its transcript
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE
 * Source: D7.7
 */
export async function keepCaptions({ liveCalls, dials }: LiveCallReadPart & OutcomesPart, requestId: string): Promise<void> {
  const [call] = await liveCalls.read([requestId]);
  if (call) await dials.keepCaptions(requestId, call.segments);
}
