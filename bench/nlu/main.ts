import { join } from 'node:path';
import type { NluEngine } from '#nlu/engine.ts';
import { type DecisionCase, readDecisionCases } from '#tools/nlu/evaluation/decision-set.ts';
import { type ExtractCase, readExtractCases, sameValue } from '#tools/nlu/evaluation/extract-set.ts';
import { localEngine } from '#nlu/local/engine.ts';
import type { Knowledge } from '#nlu/local/decide/knowledge.ts';
import { readKnowledge } from '#nlu/read-knowledge.ts';
import type { Bench } from '#tools/commands/bench-context.ts';
import type { BenchReport, Figure } from '#tools/commands/bench-report.ts';
import type { FieldValue } from '#protocol/nlu.ts';
import { systemClock } from '#kernel/clock.ts';
import { median } from '#bench/support/measure.ts';
import { memoryUnderLoad } from './memory.ts';
import { trainNlpjs } from './peer-nlpjs.ts';
import { recognizersValue } from './peer-recognizers.ts';
import { compareThroughput } from './throughput.ts';
import { timed, type Timing } from './timing.ts';

const SETS = join(import.meta.dirname, '../../tools/nlu/evaluation/sets');
const BLIND = join(import.meta.dirname, '../../tools/nlu/evaluation/blind');
const DESCRIPTION_CHARS = 30;

/** Bars of issues 4 and 21: µs, ms, share of the throughput of a constant response, MiB. */
const BARS = { decisionCpu: 50, decisionP99: 500, extractField: 20, longestHold: 5, throughputShare: 0.8, memory: 110, idle: 80 };

/** Accuracy on sets that nothing was tuned on, in %, by number of branches. */
const BLIND_BARS: Readonly<Record<number, number>> = { 5: 90, 10: 85, 36: 76 };

/** Speed of the local engine against its bars, with nlp.js and Microsoft's recognizers on the same cases. */
export const bench: Bench = async () => {
  const knowledge = await readKnowledge();
  const decisions = readDecisionCases(SETS);
  const extracts = readExtractCases(join(BLIND, 'extract.yaml'));
  const now = Date.parse(extracts[0]?.now ?? '');
  const engine = localEngine({ knowledge, clock: { ...systemClock, now: () => now }, timeZone: 'Asia/Shanghai' });
  const speed = [...decisionSpeed(engine, decisions), ...extractSpeed(engine, extracts), await longestHold(knowledge)];
  const { ratios, figures: rates } = await throughput(engine, decisions);
  const resident = await memory(decisions);
  const blind = await nlpjsPeer(engine, { name: 'blind', cases: readDecisionCases(BLIND), bars: BLIND_BARS });
  const own = await nlpjsPeer(engine, { name: 'own', cases: decisions, bars: {} });
  return {
    bench: 'nlu',
    ratios,
    figures: [...speed, ...rates, ...resident, ...blind, ...own, ...recognizersPeer(engine, extracts, new Date(now))],
  };
};

/** Cases of ten branches, widened to thirty characters each. */
function longBranches(cases: readonly DecisionCase[]): DecisionCase[] {
  const widened = (desc: string) => (desc + '，包括客户在通话中以任何方式明确或者委婉地表达出来的情形').slice(0, DESCRIPTION_CHARS);
  return cases
    .filter(({ branches }) => branches.length === 10)
    .map(entry => ({ ...entry, branches: entry.branches.map(({ key, desc }) => ({ key, desc: widened(desc) })) }));
}

function decisionSpeed(engine: NluEngine, cases: readonly DecisionCase[]): Figure[] {
  const asked = longBranches(cases);
  const unlike = Array.from({ length: UNLIKE_TEXTS }, (_, index) => unlikeCase(asked, index));
  const what = 'decision, 10 branches of 30 characters';
  const figures = (how: string, { cpu, p50, p99 }: Timing): Figure[] => [
    { what: `${what}, ${how}: CPU`, value: cpu, unit: 'µs', bar: { atMost: BARS.decisionCpu } },
    { what: `${what}, ${how}: p50`, value: p50, unit: 'µs' },
    { what: `${what}, ${how}: p99`, value: p99, unit: 'µs', bar: { atMost: BARS.decisionP99 } },
  ];
  return [
    ...figures(
      'heard before',
      timed(asked, 20, entry => void engine.decide(entry)),
    ),
    ...figures(
      'never heard before',
      timed(unlike, 3, entry => void engine.decide(entry)),
    ),
  ];
}

/** Measured cold, and again after V8 has compiled all code paths: sixty to ninety thousand fields later. */
function extractSpeed(engine: NluEngine, cases: readonly ExtractCase[]): Figure[] {
  const fields = cases.reduce((sum, entry) => sum + entry.fields.length, 0) / cases.length;
  const cpuOf = (rounds: number) => timed(cases, rounds, entry => void engine.extract(entry)).cpu / fields;
  const [first, settled] = [cpuOf(40), cpuOf(160)];
  return [
    { what: 'extract: CPU a field', value: settled, unit: 'µs', bar: { atMost: BARS.extractField } },
    { what: 'extract: CPU a field, before all of it is compiled', value: first, unit: 'µs' },
  ];
}

/** How long 64 new branches of 1,200 characters block everything else. */
async function longestHold(knowledge: Knowledge): Promise<Figure> {
  const engine = localEngine({ knowledge, clock: systemClock, timeZone: 'Asia/Shanghai' });
  const holds: number[] = [];
  for (let round = 0; round < LONG_ROUNDS; round += 1) {
    const branches = Array.from({ length: 64 }, (_, index) => ({
      key: `k${index}`,
      desc: `第${round}轮客户询问第${index}项业务的价格、办理流程和所需材料，或者表示要再考虑；`.repeat(40).slice(0, 1_200),
    }));
    holds.push(await longestTurn(() => engine.decide({ text: '多少钱', branches })));
  }
  return {
    what: '64 branches of 1,200 characters: nothing waits longer',
    value: median(holds),
    unit: 'ms',
    bar: { atMost: BARS.longestHold },
  };
}

const LONG_ROUNDS = 9;

/** Longest time between two turns of the event loop during `work`, in ms. */
async function longestTurn(work: () => unknown): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isDone = false;
  const watch = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(watch);
  };
  setImmediate(watch);
  await work();
  isDone = true;
  await new Promise(resolve => setImmediate(resolve));
  return longest;
}

async function throughput(engine: NluEngine, cases: readonly DecisionCase[]): Promise<Pick<BenchReport, 'ratios' | 'figures'>> {
  const constant: NluEngine = {
    decide: () => ({ key: 'agree', confidence: 0.9, reason: '客户说“可以”，与“客户同意”语义相符，把握较大' }),
    extract: () => ({ fields: {}, confidence: 0, reason: '' }),
  };
  const asked = longBranches(cases);
  const bodies = asked.map(bodyOf);
  const heard = await compareThroughput(engine, constant, bodies, ROUNDS);
  const unheard = await compareThroughput(engine, constant, unlikeBodies(asked), ROUNDS);
  const bar = { atLeast: BARS.throughputShare };
  return {
    ratios: [
      { what: 'decisions over HTTP / constant answers', ratio: heard.ratio, bar },
      { what: 'the same, no utterance heard before', ratio: unheard.ratio, bar },
    ],
    figures: [
      { what: 'decisions over HTTP', value: heard.one, unit: '/s' },
      { what: 'constant answers over HTTP', value: heard.other, unit: '/s' },
    ],
  };
}

async function memory(cases: readonly DecisionCase[]): Promise<Figure[]> {
  const { idle, underLoad, peak } = await memoryUnderLoad(unlikeBodies(longBranches(cases)));
  return [
    { what: "memory of the service's process, idle", value: idle, unit: 'MiB', bar: { atMost: BARS.idle } },
    { what: 'memory under load', value: underLoad, unit: 'MiB', bar: { atMost: BARS.memory } },
    { what: 'memory under load, peak', value: peak, unit: 'MiB' },
  ];
}

function bodyOf({ text, branches }: DecisionCase): string {
  return JSON.stringify({ action: 'decision', profile: 'local', text, branches });
}

/** Many short rounds, so that other load on the machine affects both sides alike. */
const ROUNDS = 25;
/** Several times the size of the engine's cache: each text is evicted before it repeats. */
const UNLIKE_TEXTS = 6_000;

/** One of the cases with a number appended to its text, which makes it new. */
function unlikeCase(cases: readonly DecisionCase[], index: number): DecisionCase {
  const entry = cases[index % cases.length];
  if (!entry) throw new Error('there are no cases of ten branches');
  return { ...entry, text: `${entry.text}${index}` };
}

function unlikeBodies(cases: readonly DecisionCase[]): string[] {
  return Array.from({ length: UNLIKE_TEXTS }, (_, index) => bodyOf(unlikeCase(cases, index)));
}

interface Accuracy {
  name: string;
  cases: readonly DecisionCase[];
  /** Bars in %, by number of branches. */
  bars: Readonly<Record<number, number>>;
}

/** nlp.js trained on the descriptions. */
async function nlpjsPeer(engine: NluEngine, { name, cases, bars }: Accuracy): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [size, group] of [...Map.groupBy(cases, entry => entry.branches.length)].sort(([one], [other]) => one - other)) {
    let peerRight = 0;
    let ownRight = 0;
    for (const [branches, asked] of Map.groupBy(group, entry => entry.branches)) {
      const classify = await trainNlpjs(branches);
      for (const { text, key } of asked) {
        if ((await classify(text)) === key) peerRight += 1;
        if ((await engine.decide({ text, branches })).key === key) ownRight += 1;
      }
    }
    const bar = bars[size];
    const what = `right among ${size}, ${name} sets`;
    figures.push({ what, value: percent(ownRight, group.length), unit: '%', ...(bar === undefined ? {} : { bar: { atLeast: bar } }) });
    figures.push({ what: `${what}, nlp.js`, value: percent(peerRight, group.length), unit: '%' });
  }
  return figures;
}

function recognizersPeer(engine: NluEngine, cases: readonly ExtractCase[], now: Date): Figure[] {
  const asked = cases.flatMap(entry => entry.fields.map(field => ({ ...entry, field })));
  return ['number', 'phone', 'date', 'time'].flatMap(type => {
    const group = asked.filter(({ field }) => field.type === type);
    const right = group.filter(({ text, field, expected }) => peerAgrees(recognizersValue(text, field, now), expected[field.key] ?? null));
    const own = group.filter(({ text, field, expected }) => ownAgrees(engine, text, field, expected[field.key] ?? null));
    const { cpu } = timed(group, 1, ({ text, field }) => void recognizersValue(text, field, now));
    return [
      { what: `right: ${type}`, value: percent(own.length, group.length), unit: '%' },
      { what: `right: ${type}, recognizers`, value: percent(right.length, group.length), unit: '%' },
      { what: `CPU: ${type}, recognizers`, value: cpu, unit: 'µs' },
    ];
  });
}

function ownAgrees(engine: NluEngine, text: string, field: ExtractCase['fields'][number], expected: FieldValue): boolean {
  const result = engine.extract({ text, fields: [field] });
  return !(result instanceof Promise) && sameValue(result.fields[field.key] ?? null, expected);
}

function peerAgrees(value: unknown, expected: FieldValue): boolean {
  if (typeof value === 'number') return sameValue(Number.isNaN(value) ? null : value, expected);
  return typeof value === 'string' ? sameValue(value.replace(/:00$/, ''), expected) || value === expected : expected === null;
}

function percent(count: number, all: number): number {
  return (100 * count) / Math.max(1, all);
}
