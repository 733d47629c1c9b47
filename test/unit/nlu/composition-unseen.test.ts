import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { localEngine } from '#companions/nlu/local/engine.ts';
import { readKnowledge } from '#companions/nlu/read-knowledge.ts';
import { systemClock } from '#kernel/clock.ts';
import { PROJECT } from '#tools/commands/project.ts';
import { readDecisionCases } from '#tools/nlu/evaluation/decision-set.ts';
import { SURE } from '#tools/nlu/evaluation/measure.ts';

/** So many were missed at 0.8 and more when each author's cases were asked for the first time; the goal is none. */
const MOST_SURE_MISSES = 3 + 4 + 10;

test('of unseen denials of denials, rhetorical questions and taunts hardly one is missed and claimed to be sure [issue 21]', async () => {
  const engine = localEngine({ knowledge: await readKnowledge(), clock: systemClock, timeZone: 'Asia/Shanghai' });
  const sure: string[] = [];
  for (const asked of readDecisionCases(join(PROJECT, 'tools/nlu/evaluation/composition'))) {
    const { key, confidence } = await engine.decide(asked);
    if (key !== asked.key && confidence >= SURE) sure.push(asked.text);
  }
  expect(sure.length).toBeLessThanOrEqual(MOST_SURE_MISSES);
});
