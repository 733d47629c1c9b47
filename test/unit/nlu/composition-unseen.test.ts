import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { localEngine } from '#nlu/local/engine.ts';
import { readKnowledge } from '#nlu/read-knowledge.ts';
import { systemClock } from '#kernel/clock.ts';
import { PROJECT } from '#tools/commands/project.ts';
import { readDecisionCases } from '#tools/nlu/evaluation/decision-set.ts';
import { SURE } from '#tools/nlu/evaluation/measure.ts';

/** Number of cases missed with a confidence of 0.8 or more when each author's cases were first evaluated; the goal is 0. */
const MOST_SURE_MISSES = 3 + 4 + 10;

test('few unseen double negations, rhetorical questions and taunts are missed with high confidence [issue 21]', async () => {
  const engine = localEngine({ knowledge: await readKnowledge(), clock: systemClock, timeZone: 'Asia/Shanghai' });
  const sure: string[] = [];
  for (const asked of readDecisionCases(join(PROJECT, 'tools/nlu/evaluation/composition'))) {
    const { key, confidence } = await engine.decide(asked);
    if (key !== asked.key && confidence >= SURE) sure.push(asked.text);
  }
  expect(sure.length).toBeLessThanOrEqual(MOST_SURE_MISSES);
});
