import { captionSubject } from '#protocol/subjects.ts';
import { channelVariables, type ChannelVariables } from '#platform/freeswitch/channel-variables.ts';
import type { Campaign } from '#campaigns/campaign.ts';
import type { JsonObject } from '#kernel/json.ts';

/** Channel variables of a call: our own ids, then the campaign's variables, then the contact's metadata. Source: D4.5 */
export function callVariables(
  campaign: Pick<Campaign, 'id' | 'businessConfig'>,
  dial: { requestId: string; attemptId: number; metadata: JsonObject },
): ChannelVariables {
  const named = channelVariables(campaign.businessConfig.variables ?? {}, dial.metadata);
  return {
    ...named,
    variables: {
      callout_request_id: dial.requestId,
      callout_attempt_id: String(dial.attemptId),
      callout_campaign_id: String(campaign.id),
      callout_caption_subject: captionSubject(dial.requestId),
      ...named.variables,
    },
  };
}
