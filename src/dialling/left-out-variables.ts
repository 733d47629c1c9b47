import type { ClaimedDial, DialPlan } from '#ports/dial-store.ts';
import type { RuntimeEventStore } from '#ports/runtime-event-store.ts';
import { callVariables } from './call-variables.ts';

const MAX_NAMES = 20;

/** Records once per campaign which variables a channel cannot carry (D4.5). */
export async function recordLeftOut(deps: { events: RuntimeEventStore }, plan: DialPlan, dials: readonly ClaimedDial[]): Promise<void> {
  const names = new Set(dials.flatMap(dial => callVariables(plan.campaign, dial).leftOut));
  if (names.size === 0) return;
  const listed = [...names].slice(0, MAX_NAMES);
  await deps.events.record({
    level: 'info',
    type: 'dispatch.variables_left_out',
    title: '部分变量未写入通道',
    message: '这些变量的名称或值不能写入通道（名称不在允许之列，或值含有交换机会展开的内容，如 ${…}），已略去；完整的值仍会交给话术运行时',
    campaignId: plan.campaign.id,
    detail: { names: listed },
    dedupeKey: `left_out_variables:${plan.campaign.id}`,
  });
}
