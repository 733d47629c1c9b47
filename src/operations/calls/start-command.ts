import { captionSubject } from '#contract/nats/subjects.ts';
import type { LiveSegment } from '#ports/live-call-store.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { CallMeta } from './call-actor.ts';

/** How a call is handed over. Units: `answeredAt` UTC ms */
export interface HandOver {
  epoch: number;
  answeredAt: number | null;
  /** What was said before the last runtime was lost; null: nobody had the call. */
  captions: readonly LiveSegment[] | null;
  /** How the runtime reaches the customer at this cell. */
  media: JsonObject;
}

const MAX_CAPTIONS = 200;

/** What the runtime gets when a call is answered: the exact values, whatever a channel variable could carry (D4.5). */
export function startCommandOf(call: CallMeta, { epoch, answeredAt, captions, media }: HandOver): JsonObject {
  const { requestId, attemptId, campaignId, campaignName, contactId, phoneNumber, customerName, cellId, scriptId, scriptVersion } = call;
  return {
    requestId,
    epoch,
    ...(answeredAt === null ? {} : { answeredAt: new Date(answeredAt).toISOString() }),
    ...(captions === null
      ? {}
      : {
          resuming: true,
          captions: captions
            .filter(({ final }) => final)
            .slice(-MAX_CAPTIONS)
            .map(caption),
        }),
    attemptId,
    campaignId,
    campaignName,
    contactId,
    phoneNumber,
    customerName,
    cellId,
    media,
    scriptId,
    scriptVersion,
    captionSubject: captionSubject(requestId),
    variables: { ...call.businessConfig.variables },
    metadata: call.metadata,
  };
}

function caption({ segmentId, speaker, text, nodeId }: LiveSegment): JsonObject {
  return { segmentId, speaker, text, nodeId };
}
