import { captionSubject } from '#protocol/subjects.ts';
import type { LiveSegment } from './ports-live-call-store.ts';
import type { JsonObject } from '#kernel/json.ts';
import type { CallMeta } from './call-actor.ts';

/** Parameters of a hand-over. Units: `answeredAt` UTC ms */
export interface HandOver {
  epoch: number;
  answeredAt: number | null;
  /** Captions from before the previous runtime was lost; null when no runtime had the call. */
  captions: readonly LiveSegment[] | null;
  /** How the runtime reaches the customer at this cell. */
  media: JsonObject;
}

const MAX_CAPTIONS = 200;

/** Builds the command that gives an answered call to a runtime: exact values, regardless of what a channel variable can carry (D4.5). */
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
