import type { Clock } from '#kernel/clock.ts';
import type { NluEngine } from '../engine.ts';
import { CompiledBranches } from './decide/compiled-cache.ts';
import { readUtterance } from './decide/evidence.ts';
import { ReadingCache } from './decide/reading-cache.ts';
import { decide } from './decide/decide.ts';
import type { Knowledge } from './decide/knowledge.ts';
import { ExampleSets } from './examples/example-sets.ts';
import { extractFields } from './extract/extract-fields.ts';

export interface LocalEngineParts {
  knowledge: Knowledge;
  clock: Clock;
  /** IANA time zone in which customers mean their times. */
  timeZone: string;
}

/** The built-in engine: pure except for the clock, and never fails; long tasks are read in slices. Source: D13.1 */
export function localEngine({ knowledge, clock, timeZone }: LocalEngineParts): NluEngine {
  const compiled = new CompiledBranches(knowledge);
  const exampleSets = new ExampleSets(knowledge);
  const readings = new ReadingCache();
  const room = new Float32Array(knowledge.actCount);
  const read = (text: string) => readUtterance(text, knowledge, room);
  return {
    decide: task => decide(task, { knowledge, compiled, exampleSets, utterance: readings.get(task.text, read) }),
    extract: task => extractFields(task, { call: { now: clock.now(), timeZone }, model: knowledge.choices }),
  };
}
