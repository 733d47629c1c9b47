import { isOpen } from '#actors/intervention/take-over.ts';
import type { CallEffects } from '#actors/call/effects.ts';
import type { SpeechFound } from '#actors/call/speech.ts';
import type { LiveCallStore, LiveSegment } from './live-call-store.ts';
import type { CallHost, CallState } from './call-actor.ts';
import type { EffectContext } from '#platform/actor-host/aggregate.ts';

export interface SpeechOptions {
  liveCalls: Pick<LiveCallStore, 'read'>;
  /** Whether the call's customer is in a conference, or agents are being called for it. */
  isInConference: (requestId: string) => Promise<boolean>;
  /** The host that runs the executors; a function, because host and executors need each other. */
  host(): CallHost;
}

/**
 * Examines what has been said in a call and reports it to the call's actor.
 *
 * Why:    captions bypass the actor; position and text of the newest caption, rather than the runtime's clock, show whether anything was said
 *         since the last check
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE; the outbox then repeats the check
 */
export async function checkSpeech(
  options: SpeechOptions,
  { epoch }: CallEffects['checkSpeech'],
  { id, effectId, state }: EffectContext<CallState>,
): Promise<void> {
  const [call] = await options.liveCalls.read([id]);
  const segments = call?.segments ?? [];
  const last = segments.at(-1);
  const isCustomers = last?.speaker === 'customer';
  // The database is queried only when its answer matters.
  const isDoubtful = isCustomers || state.context.speech?.hasBegun !== true;
  const found: SpeechFound = {
    type: 'speechFound',
    epoch,
    botMark: markOf(segments.findLast(({ speaker }) => speaker === 'bot')),
    lastMark: markOf(last),
    isCustomers,
    isElsewhere: isDoubtful && (await isElsewhere(options, state, id)),
  };
  await options.host().send(id, found, `${effectId}:speechFound`);
}

async function isElsewhere({ isInConference }: SpeechOptions, { context, intervention }: CallState, requestId: string): Promise<boolean> {
  if (context.isWithPerson === true || (intervention && isOpen(intervention))) return true;
  return isInConference(requestId);
}

function markOf(segment: LiveSegment | undefined): string | null {
  return segment ? `${segment.segmentId}:${segment.text.length}:${segment.final}` : null;
}
