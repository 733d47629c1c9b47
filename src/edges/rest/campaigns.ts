import {
  createCampaignRoute,
  deleteCampaignRoute,
  getCampaignRoute,
  listCampaignsRoute,
  preflightCampaignRoute,
  updateCampaignRoute,
} from '#contract/rest/campaigns.ts';
import { toInstantOrNull } from '#contract/rest/instant.ts';
import { createCampaign, type CreateCampaignDeps } from '#operations/campaigns/create-campaign.ts';
import { deleteCampaign } from '#operations/campaigns/delete-campaign.ts';
import { getCampaignDetail } from '#operations/campaigns/get-campaign-detail.ts';
import { campaignList } from '#operations/campaigns/list-campaigns.ts';
import { preflightCampaign, type PreflightDeps } from '#operations/campaigns/preflight-campaign.ts';
import { updateCampaign, type UpdateCampaignDeps } from '#operations/campaigns/update-campaign.ts';
import type { ListContactsDeps } from '#operations/contacts/list-contacts.ts';
import { readPage } from '#operations/listing.ts';
import type { CampaignStore } from '#ports/campaign-store.ts';
import { handler, type RestHandler } from './handler.ts';
import { presentAttempt, presentBatch } from './present/attempts.ts';
import { presentCampaign } from './present/campaigns.ts';
import { presentContact } from './present/contacts.ts';
import { presentPreflight } from './present/preflight.ts';

export interface CampaignHandlerDeps extends CreateCampaignDeps, UpdateCampaignDeps, ListContactsDeps, PreflightDeps {
  campaigns: CampaignStore;
  db: CreateCampaignDeps['db'];
  dials: UpdateCampaignDeps['dials'] & PreflightDeps['dials'];
  slots: UpdateCampaignDeps['slots'] & PreflightDeps['slots'];
}

/** Source: OCS 4.5 */
export function campaignHandlers(deps: CampaignHandlerDeps): RestHandler[] {
  return [
    handler(listCampaignsRoute, async ({ query }) => {
      const { rows, ...page } = await readPage(deps, campaignList, query);
      return { rows: rows.map(presentCampaign), ...page };
    }),
    handler(createCampaignRoute, async ({ body, caller }) => ({
      campaign: presentCampaign(await createCampaign(deps, caller, timed(body, deps.zone))),
    })),
    handler(getCampaignRoute, async ({ params }) => {
      const { campaign, contacts, contactTotal, attempts, batches } = await getCampaignDetail(deps, params.id);
      return {
        campaign: presentCampaign(campaign),
        contacts: contacts.map(presentContact),
        contactTotal,
        attempts: attempts.map(presentAttempt),
        batches: batches.map(presentBatch),
      };
    }),
    handler(updateCampaignRoute, async ({ params, body, caller }) => ({
      campaign: presentCampaign(await updateCampaign(deps, caller, params.id, timed(body, deps.zone))),
    })),
    handler(deleteCampaignRoute, async ({ params, caller }) => ({
      campaign: presentCampaign(await deleteCampaign(deps, caller, params.id)),
    })),
    handler(preflightCampaignRoute, async ({ params }) => presentPreflight(await preflightCampaign(deps, params.id))),
  ];
}

interface TimedBody {
  scheduledStartAt?: string | null | undefined;
  scheduledEndAt?: string | null | undefined;
  variables?: undefined;
  intentKeywords?: undefined;
}

/** The body with its instants as UTC ms; absent ones stay absent. */
function timed<Body extends TimedBody>(
  { scheduledStartAt, scheduledEndAt, variables: _v, intentKeywords: _i, ...body }: Body,
  zone: string,
) {
  return { ...body, scheduledStartAt: instantOf(scheduledStartAt, zone), scheduledEndAt: instantOf(scheduledEndAt, zone) };
}

function instantOf(text: string | null | undefined, zone: string): number | null | undefined {
  return text === undefined ? undefined : toInstantOrNull(text, zone);
}
