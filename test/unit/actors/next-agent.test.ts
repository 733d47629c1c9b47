import { expect, test } from '@jest/globals';
import { nextAgents } from '#actors/conference/context.ts';

const NOBODY_WANTED = { preferredAgentId: null, onlyPreferred: false, groupId: null, interventionId: null };
const next = (wanted: Partial<Parameters<typeof nextAgents>[0]>, tried: readonly number[] = [], maxAsked = 3) =>
  nextAgents({ ...NOBODY_WANTED, ...wanted }, { tried, maxAsked });

test('the agent idle longest is called next, within the group if one is named, and none twice [D12.5]', () => {
  expect(next({}, [1])).toEqual([{ except: [1] }]);
  expect(next({ groupId: 4 }, [1, 2])).toEqual([{ groupId: 4, except: [1, 2] }]);
});

test('a single requested agent is the only candidate; with an intervention that agent comes first and is held since the claim [D12.5]', () => {
  const order = { preferredAgentId: 7, onlyPreferred: true };
  expect(next(order)).toEqual([{ agentId: 7 }]);
  expect(next(order, [7])).toEqual([]);
  const preferred = { preferredAgentId: 7, interventionId: 'iv-1' };
  expect(next(preferred)).toEqual([{ agentId: 7, takesOver: 'intervention:iv-1' }, { except: [] }]);
  expect(next(preferred, [7])).toEqual([{ except: [7] }]);
});

test('no further agent is called at the limit', () => {
  expect(next({}, [1, 2, 3])).toEqual([]);
});
