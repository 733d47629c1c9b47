import type { Campaign } from '#campaigns/campaign.ts';
import type { JsonObject } from '#kernel/json.ts';
import { channelName, channelVariables, type ChannelVariables } from '#platform/freeswitch/channel-variables.ts';
import { captionSubject } from '#protocol/subjects.ts';
import type { RuntimeEventStore } from '#runtime-events/runtime-event-store.ts';
import type { ClaimedDial, DialPlan } from './dial-store.ts';

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

const MAX_NAMES = 20;

/** Limit of remembered campaigns; a forgotten one is recorded again, which has no effect. */
const MAX_CAMPAIGNS = 10_000;

/** Records once per campaign which variables a channel cannot carry, or only under another name. Source: D4.5 */
export interface LeftOutVariables {
  record(plan: Pick<DialPlan, 'campaign'>, dials: readonly Pick<ClaimedDial, 'requestId' | 'attemptId' | 'metadata'>[]): Promise<void>;
}

export interface LeftOutPart {
  leftOut: LeftOutVariables;
}

/** Errors: DATABASE_UNAVAILABLE: the next batch records them */
export function leftOutVariables(app: { events: Pick<RuntimeEventStore, 'record'> }): LeftOutVariables {
  const recorded = new Set<number>();
  return {
    async record({ campaign }, dials) {
      if (recorded.has(campaign.id)) return;
      const carried = dials.map(dial => callVariables(campaign, dial));
      const leftOut = [...new Set(carried.flatMap(({ leftOut: names }) => names))].slice(0, MAX_NAMES);
      const renamed = [...new Set(carried.flatMap(({ renamed: names }) => names))].slice(0, MAX_NAMES);
      if (leftOut.length + renamed.length === 0) return;
      await app.events.record({
        level: 'info',
        type: 'dispatch.variables_left_out',
        title: leftOut.length > 0 ? '部分变量未写入通道' : '部分变量以其他名称写入通道',
        message: messageOf(leftOut, renamed),
        campaignId: campaign.id,
        detail: { names: [...leftOut, ...renamed], renamed: Object.fromEntries(renamed.map(name => [name, channelName(name)])) },
        dedupeKey: `left_out_variables:${campaign.id}`,
      });
      if (recorded.size >= MAX_CAMPAIGNS) recorded.clear();
      recorded.add(campaign.id);
    },
  };
}

function messageOf(leftOut: readonly string[], renamed: readonly string[]): string {
  const parts = [
    leftOut.length === 0
      ? ''
      : `变量 ${leftOut.join('、')} 不能写入通道（名称含有字母、数字、_、- 以外的字符，值含有交换机会展开的内容如 \${…}，或超出长度与个数），已略去`,
    renamed.length === 0 ? '' : `变量 ${renamed.join('、')} 的名称对交换机另有含义，在通道上改名为 callout_var_<原名>`,
  ];
  return `${parts.filter(part => part !== '').join('；')}；完整的名称和值仍会交给话术引擎`;
}
