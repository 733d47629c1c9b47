import { isOpen } from '#actors/intervention/take-over.ts';
import type { CallEffects } from '#actors/call/effects.ts';
import type { SpeechFound } from '#actors/call/speech.ts';
import type { EffectContext } from '#host/actor-host.ts';
import type { LiveCallStore, LiveSegment } from '#ports/live-call-store.ts';
import type { CallHost } from './call-actor.ts';
import type { CallState } from './call-aggregate.ts';

export interface SpeechDeps {
  liveCalls: Pick<LiveCallStore, 'read'>;
  /** Whether the customer of the call is with people, or people are being called for them. */
  isInConference: (requestId: string) => Promise<boolean>;
  /** The host that runs the executors; asked for late, because the two need each other. */
  host(): CallHost;
}

/**
 * Looks at what has been said in a call, and tells its actor.
 *
 * Why:    captions pass by the actor; the place and text of the newest one, not its runtime's clock, say whether anything came since the last look
 * Errors: CACHE_UNAVAILABLE, DATABASE_UNAVAILABLE: looked again by the outbox
 */
export async function checkSpeech(
  deps: SpeechDeps,
  { epoch }: CallEffects['checkSpeech'],
  { id, effectId, state }: EffectContext<CallState>,
): Promise<void> {
  const [call] = await deps.liveCalls.read([id]);
  const segments = call?.segments ?? [];
  const last = segments.at(-1);
  const isCustomers = last?.speaker === 'customer';
  // Only where it decides: the database is asked.
  const isDoubtful = isCustomers || state.context.speech?.hasBegun !== true;
  const found: SpeechFound = {
    type: 'speechFound',
    epoch,
    botMark: markOf(segments.findLast(({ speaker }) => speaker === 'bot')),
    lastMark: markOf(last),
    isCustomers,
    isElsewhere: isDoubtful && (await isElsewhere(deps, state, id)),
  };
  await deps.host().send(id, found, `${effectId}:speechFound`);
}

async function isElsewhere({ isInConference }: SpeechDeps, { context, intervention }: CallState, requestId: string): Promise<boolean> {
  if (context.isWithPerson === true || (intervention && isOpen(intervention))) return true;
  return isInConference(requestId);
}

function markOf(segment: LiveSegment | undefined): string | null {
  return segment ? `${segment.segmentId}:${segment.text.length}:${segment.final}` : null;
}
