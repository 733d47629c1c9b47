import { expect, test } from '@jest/globals';
import { type PreDialCampaign } from '#pre-dial/pre-dial.ts';
import { knownHooks } from '#pre-dial/remembered.ts';

test('two turns that read the hook of a campaign at once share its count of failures [D15.7]', async () => {
  const hookOf = knownHooks({ first: async () => undefined });
  const campaign = { id: 1, updatedAt: 5 } as PreDialCampaign;
  const [one, other] = await Promise.all([hookOf(campaign), hookOf(campaign)]);
  expect(other).toBe(one);
});
