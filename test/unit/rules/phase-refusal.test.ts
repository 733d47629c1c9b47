import { expect, test } from '@jest/globals';
import { phaseRefusal } from '#rules/phase-refusal.ts';

test.each([
  ['WAITING_SLOT', '线路并发已满', 'line_full'],
  ['WAITING_SLOT', '交换机节点并发已满', 'cell_full'],
  ['WAITING_SLOT', '活动的线路均已停用', 'line_full'],
  ['WAITING_SLOT', '等待', 'campaign_full'],
  ['WAITING_SLOT', null, 'campaign_full'],
  ['WAITING_RUNTIME', '话术运行时没有空闲名额', 'runtime_full'],
  ['WAITING_RUNTIME', null, 'no_runtime'],
  ['DISPATCHING', '线路并发已满', null],
] as const)('a campaign in %s for %j keeps its contacts by %j', (phase, phaseReason, reason) => {
  expect(phaseRefusal({ phase, phaseReason })).toBe(reason);
});
