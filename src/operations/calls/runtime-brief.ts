import { captionSubject } from '#contract/nats/subjects.ts';
import type { JsonObject } from '#ports/records.ts';
import type { CallMeta } from './call-actor.ts';

/** What the runtime is told when a call is answered: the exact values, whatever a channel variable could carry (D4.5). */
export function runtimeBrief(call: CallMeta): JsonObject {
  const { requestId, attemptId, campaignId, campaignName, contactId, phoneNumber, customerName, cellId, scriptId, scriptVersion } = call;
  return {
    requestId,
    attemptId,
    campaignId,
    campaignName,
    contactId,
    phoneNumber,
    customerName,
    cellId,
    scriptId,
    scriptVersion,
    captionSubject: captionSubject(requestId),
    variables: { ...call.businessConfig.variables },
    metadata: call.metadata,
  };
}
