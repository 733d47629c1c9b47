import { createCampaignRoute, deleteCampaignRoute, getCampaignRoute, listCampaignsRoute, updateCampaignRoute } from './campaigns.ts';
import { toInstantOrNull } from '#kernel/fields.ts';
import { createCampaign, type CreateCampaignDeps } from './create-campaign.ts';
import { deleteCampaign } from './delete-campaign.ts';
import { getCampaignDetail } from './get-campaign-detail.ts';
import { campaignList } from './list-campaigns.ts';
import { updateCampaign, type UpdateCampaignDeps } from './update-campaign.ts';
import type { ListContactsDeps } from '#contacts/list-contacts.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { handler, type RestHandler } from '#platform/http/handler.ts';

export interface CampaignHandlerDeps extends CreateCampaignDeps, UpdateCampaignDeps, ListContactsDeps {
  db: CreateCampaignDeps['db'];
  /** Business time zone. */
  timeZone: string;
}

/** Source: OCS 4.5 */
export function campaignHandlers(deps: CampaignHandlerDeps): RestHandler[] {
  return [
    handler(listCampaignsRoute, ({ query }) => readPage(deps, campaignList, query)),
    handler(createCampaignRoute, async ({ body, caller }) => ({
      campaign: await createCampaign(deps, caller, timed(body, deps.timeZone)),
    })),
    handler(getCampaignRoute, ({ params }) => getCampaignDetail(deps, params.id)),
    handler(updateCampaignRoute, async ({ params, body, caller }) => ({
      campaign: await updateCampaign(deps, caller, params.id, timed(body, deps.timeZone)),
    })),
    handler(deleteCampaignRoute, async ({ params, caller }) => ({
      campaign: await deleteCampaign(deps, caller, params.id),
    })),
  ];
}

interface TimedBody {
  scheduledStartAt?: string | null | undefined;
  scheduledEndAt?: string | null | undefined;
  variables?: undefined;
  intentKeywords?: undefined;
}

/** Converts the instants of a body to UTC ms; absent ones stay absent. */
function timed<Body extends TimedBody>(
  { scheduledStartAt, scheduledEndAt, variables: _v, intentKeywords: _i, ...body }: Body,
  zone: string,
) {
  return { ...body, scheduledStartAt: instantOf(scheduledStartAt, zone), scheduledEndAt: instantOf(scheduledEndAt, zone) };
}

function instantOf(text: string | null | undefined, zone: string): number | null | undefined {
  return text === undefined ? undefined : toInstantOrNull(text, zone);
}
