import type { ClaimedDial, DialPlan } from '#ports/dial-store.ts';
import type { RuntimeEventStore } from '#ports/runtime-event-store.ts';
import { callVariables } from './call-variables.ts';

const MAX_NAMES = 20;

/** Campaigns that are remembered; one that is forgotten is recorded once more, which changes nothing. */
const MAX_CAMPAIGNS = 10_000;

/** Records once per campaign which variables a channel cannot carry. Source: D4.5 */
export interface LeftOutVariables {
  record(plan: Pick<DialPlan, 'campaign'>, dials: readonly Pick<ClaimedDial, 'requestId' | 'attemptId' | 'metadata'>[]): Promise<void>;
}

/** Errors: DATABASE_UNAVAILABLE: the next batch records them */
export function leftOutVariables(deps: { events: Pick<RuntimeEventStore, 'record'> }): LeftOutVariables {
  const recorded = new Set<number>();
  return {
    async record({ campaign }, dials) {
      if (recorded.has(campaign.id)) return;
      const names = new Set(dials.flatMap(dial => callVariables(campaign, dial).leftOut));
      if (names.size === 0) return;
      await deps.events.record({
        level: 'info',
        type: 'dispatch.variables_left_out',
        title: '部分变量未写入通道',
        message:
          '这些变量的名称或值不能写入通道（名称不在允许之列，或值含有交换机会展开的内容，如 ${…}），已略去；完整的值仍会交给话术运行时',
        campaignId: campaign.id,
        detail: { names: [...names].slice(0, MAX_NAMES) },
        dedupeKey: `left_out_variables:${campaign.id}`,
      });
      if (recorded.size >= MAX_CAMPAIGNS) recorded.clear();
      recorded.add(campaign.id);
    },
  };
}
