import { meRoute } from '#contract/rest/access.ts';
import { getAttemptRoute, listAttemptsRoute, listTranscriptSegmentsRoute } from '#contract/rest/attempts.ts';
import { listBatchesRoute } from '#contract/rest/batches.ts';
import { createCampaignRoute, getCampaignRoute, listCampaignsRoute, updateCampaignRoute } from '#contract/rest/campaigns.ts';
import { deleteContactsRoute, listContactsRoute, pasteContactsRoute, pauseContactsRoute } from '#contract/rest/contacts.ts';
import { cancelBatchRoute, dispatchRoute } from '#contract/rest/dispatch.ts';
import { listLinesRoute } from '#contract/rest/lines.ts';
import { liveCallStreamRoute } from '#contract/rest/live-call-events.ts';
import { retryContactsRoute } from '#contract/rest/retry.ts';
import type { RouteContract } from '#contract/rest/route.ts';

type AccessRow = Pick<RouteContract, 'access'>;

/**
 * The REST row that each field stands for: its `access` is the field's. Every root field and every field with arguments or rows of another
 * kind is here; the schema is not made without.
 *
 * Source: OCS 2.3, 5
 */
export const ACCESS_TABLE: Readonly<Record<string, Readonly<Record<string, AccessRow>>>> = {
  Query: {
    me: meRoute,
    campaign: getCampaignRoute,
    campaigns: listCampaignsRoute,
    contacts: listContactsRoute,
    attempt: getAttemptRoute,
    attempts: listAttemptsRoute,
    liveCalls: liveCallStreamRoute,
  },
  Mutation: {
    createCampaign: createCampaignRoute,
    updateCampaign: updateCampaignRoute,
    startCampaign: updateCampaignRoute,
    pauseCampaign: updateCampaignRoute,
    archiveCampaign: updateCampaignRoute,
    dispatchCampaign: dispatchRoute,
    cancelBatch: cancelBatchRoute,
    addContacts: pasteContactsRoute,
    pauseContacts: pauseContactsRoute,
    deleteContacts: deleteContactsRoute,
    retryContacts: retryContactsRoute,
  },
  Subscription: {
    campaignProgress: getCampaignRoute,
    liveCall: liveCallStreamRoute,
    liveCalls: liveCallStreamRoute,
  },
  Campaign: {
    lines: listLinesRoute,
    progress: getCampaignRoute,
    contacts: listContactsRoute,
    attempts: listAttemptsRoute,
    batches: listBatchesRoute,
  },
  Contact: { campaign: getCampaignRoute, lastAttempt: getAttemptRoute },
  Attempt: {
    campaign: getCampaignRoute,
    contact: listContactsRoute,
    line: listLinesRoute,
    transcript: listTranscriptSegmentsRoute,
  },
};
