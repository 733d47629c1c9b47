import { expect, test } from '@jest/globals';
import { leftOutVariables } from '#dialling/call-variables.ts';
import type { NewRuntimeEvent, RuntimeEventStore } from '#runtime-events/runtime-event-store.ts';
import type { DialPlan } from '#dialling/dial-store.ts';

const plan = (id: number) => ({ campaign: { id, businessConfig: {} } }) as DialPlan;
const dial = (metadata: Record<string, string>) => [{ requestId: 'r', attemptId: 1, metadata }];
const dials = dial({ 城市: '上海', context: 'vip', comma: ',' });

test('variables that a channel cannot carry are recorded once per campaign, and again only if recording failed [D4.5]', async () => {
  const recorded: NewRuntimeEvent[] = [];
  let isAway = true;
  const record: RuntimeEventStore['record'] = async event => {
    if (isAway) throw new Error('away');
    recorded.push(event);
    return {} as Awaited<ReturnType<RuntimeEventStore['record']>>;
  };
  const leftOut = leftOutVariables({ events: { record } });
  await expect(leftOut.record(plan(1), dials)).rejects.toThrow('away');
  isAway = false;
  await leftOut.record(plan(1), dial({}));
  expect(recorded).toEqual([]);
  for (const id of [1, 1, 2]) await leftOut.record(plan(id), dials);
  expect(recorded.map(({ campaignId, detail }) => ({ campaignId, detail }))).toEqual([
    { campaignId: 1, detail: { names: ['城市', 'context'], renamed: { context: 'callout_var_context' } } },
    { campaignId: 2, detail: { names: ['城市', 'context'], renamed: { context: 'callout_var_context' } } },
  ]);
  expect(recorded[0]?.message).toMatch(/变量 城市 不能写入通道.*变量 context 的名称对交换机另有含义/);
});
