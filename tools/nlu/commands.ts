import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { NluEngine } from '#nlu/engine.ts';
import { type DecisionCase, readDecisionCases } from './evaluation/decision-set.ts';
import { type ExtractCase, readExtractCases } from './evaluation/extract-set.ts';
import { isFrozen } from './evaluation/frozen.ts';
import type { Figures } from '#nlu/local/weights.ts';
import { describeComposition, describeFields, describeHeadline, fieldFiguresOf, figuresOf } from './evaluation/headline.ts';
import { readJsonl } from './evaluation/jsonl-file.ts';
import { type SplitCases, withExamples } from './evaluation/split-examples.ts';
import { describeDecisions, runDecisions } from './evaluation/run-decisions.ts';
import { describeExtracts, runExtracts } from './evaluation/run-extracts.ts';
import { localEngine } from '#nlu/local/engine.ts';
import { readKnowledge, readWeightsFile } from '#nlu/read-knowledge.ts';
import { nluTrain as train } from './training/train.ts';
import { readDecisionBody, readExtractBody } from '#nlu/http/read-body.ts';
import { isCalloutError } from '#kernel/errors.ts';
import { type Clock, systemClock } from '#kernel/clock.ts';
import { seededRandom } from '#kernel/random.ts';
import { type Command, refuseConfig } from '#platform/process.ts';
import { readProcessConfig } from '#platform/config/config-command.ts';
import type { Config } from '#platform/config/shape.ts';
import { createLog } from '#platform/log.ts';
import { composeProfiles } from '#nlu/compose-profiles.ts';

const EX_USAGE = 64;
const SETS = join(import.meta.dirname, 'evaluation/sets');

const BLIND = join(import.meta.dirname, 'evaluation/blind');
const COMPOSITION = join(import.meta.dirname, 'evaluation/composition');

const EVAL_HELP = `Usage: npm run nlu:eval -- [file.yaml | file.jsonl | folder …] [--frozen file] [--examples 5,20] [--profile local]

Without a file: the blind sets, the cross-validation and the sets written beside the corpus, with the goals; denials of denials and irony of unseen
trades; then the sets written beside the corpus in full.
A line of a .jsonl file is { text, branches, key } or { text, fields, expected, now? }; a .yaml file or a folder of them holds decision sets
as tools/nlu/evaluation/blind does. --frozen takes a set that evaluation/frozen.json lists and prints nothing of its cases. --examples makes so many cases of each branch, at most
two thirds, into examples of it, asks the others with and without them, and prints both, the mean of five splits; without a file of the blind sets.
`;
const EVAL_OPTIONS = { profile: { type: 'string' }, frozen: { type: 'string' }, examples: { type: 'string' } } as const;

/** `npm run nlu:eval`: accuracy, calibration, speed and confusions on the project's sets or on files. */
export const nluEval: Command = async args =>
  withConfig(EVAL_HELP, args, EVAL_OPTIONS, async ({ positionals, values }, config) => {
    const profile = typeof values['profile'] === 'string' ? values['profile'] : null;
    const engine = await engineOf(config, profile);
    const frozen = values['frozen'];
    if (typeof frozen === 'string') return evaluateFrozen(engine, frozen);
    const { examples } = values;
    if (typeof examples === 'string') return evaluateExamples(engine, examples, positionals.length === 0 ? [BLIND] : positionals);
    const engineAt = await engineAtTime(config, profile === null ? null : engine);
    if (positionals.length === 0) await printHeadline(engine, engineAt);
    const { decisions, extracts } = positionals.length === 0 ? ownSets() : fileSets(positionals);
    await runDecisions(engine, decisions.slice(0, WARM_UP_CASES), systemClock);
    if (decisions.length > 0) print(describeDecisions(await runDecisions(engine, decisions, systemClock)));
    if (extracts.length > 0) print(describeExtracts(await runExtracts(engineAt, extracts)));
    return 0;
  });

const WARM_UP_CASES = 300;

const SPLITS = 5;

/** Measures what examples are worth: the learning curve. */
async function evaluateExamples(engine: NluEngine, counts: string, paths: readonly string[]): Promise<number> {
  const { decisions } = fileSets(paths);
  for (const count of counts.split(',').map(Number)) {
    if (!Number.isInteger(count) || count < 1) return usage(`--examples ${counts}: whole numbers, separated by commas`, EVAL_HELP);
    const splits = Array.from({ length: SPLITS }, (_, seed) => withExamples(decisions, count, seededRandom(seed + 1)));
    const of = (which: keyof SplitCases) =>
      figuresOn(
        engine,
        splits.flatMap(split => split[which]),
      );
    print(
      describeHeadline([
        [`${count} examples`, await of('taught')],
        ['the same, none', await of('cases')],
      ]),
    );
  }
  return 0;
}

/** Measures a frozen set without showing its cases, which must stay unread. */
async function evaluateFrozen(engine: NluEngine, path: string): Promise<number> {
  if (!isFrozen(path)) return usage(`${path} is not listed in evaluation/frozen.json`, EVAL_HELP);
  print(describeHeadline([['frozen', await figuresOn(engine, readDecisionCases(path))]]));
  return 0;
}

async function printHeadline(engine: NluEngine, engineAt: (now: string | null) => NluEngine): Promise<void> {
  const { trades, phrases, fields, rareFields } = (await readWeightsFile()).crossValidated;
  const blindFields = await runExtracts(engineAt, extractCasesOf(BLIND));
  print([
    ...describeHeadline([
      ['blind', await figuresOn(engine, readDecisionCases(BLIND))],
      ['trades left out', trades],
      ['phrases left out', phrases],
      ['own', await figuresOn(engine, readDecisionCases(SETS))],
    ]),
    '',
    describeComposition(await runDecisions(engine, readDecisionCases(COMPOSITION), systemClock)),
    describeFields('blind', fieldFiguresOf(blindFields)),
    describeFields('blind, without an answer', fieldFiguresOf(blindFields.filter(({ expected }) => expected === null))),
    describeFields('authors left out', fields),
    describeFields('the same, of labels that no rule knows', rareFields),
    '',
  ]);
}

async function figuresOn(engine: NluEngine, cases: readonly DecisionCase[]): Promise<Figures> {
  const outcomes = await runDecisions(engine, cases, systemClock);
  return figuresOf(outcomes.map(({ right, confidence, case: { branches } }) => ({ right, confidence, branches: branches.length })));
}

function ownSets(): { decisions: DecisionCase[]; extracts: ExtractCase[] } {
  return { decisions: readDecisionCases(SETS), extracts: extractCasesOf(SETS) };
}

function extractCasesOf(folder: string): ExtractCase[] {
  const files = readdirSync(folder).filter(file => file.startsWith('extract'));
  return files.sort().flatMap(file => readExtractCases(join(folder, file)));
}

function fileSets(paths: readonly string[]): { decisions: DecisionCase[]; extracts: ExtractCase[] } {
  const read = paths.map(path => (path.endsWith('.jsonl') ? readJsonl(path) : { decisions: readDecisionCases(path), extracts: [] }));
  return { decisions: read.flatMap(cases => cases.decisions), extracts: read.flatMap(cases => cases.extracts) };
}

async function engineOf(config: Config, profile: string | null): Promise<NluEngine> {
  const log = createLog({ level: 'silent', instanceId: 'nlu-tools' });
  return (await composeProfiles(config, log)).get(profile).engine;
}

/** The local engine with its clock set to the time of the case; a named profile runs at the real time. */
async function engineAtTime({ server }: Config, named: NluEngine | null): Promise<(now: string | null) => NluEngine> {
  const knowledge = await readKnowledge();
  return now => named ?? localEngine({ knowledge, clock: clockAt(now), timeZone: server.timezone });
}

function clockAt(now: string | null): Clock {
  return now === null ? systemClock : { ...systemClock, now: () => Date.parse(now) };
}

const TRY_HELP = `Usage: npm run nlu:try -- "文本" --branch key=描述 [--branch …] [--profile local]
       npm run nlu:try -- "文本" --field key=标签:类型 [--field …]

Types: text number date time datetime phone boolean
`;
const TRY_OPTIONS = {
  branch: { type: 'string', multiple: true },
  field: { type: 'string', multiple: true },
  profile: { type: 'string' },
} as const;

/** `npm run nlu:try`: one utterance, for a user at a terminal. */
export const nluTry: Command = async args =>
  withConfig(TRY_HELP, args, TRY_OPTIONS, async ({ positionals, values }, config) => {
    const branches = pairs(values['branch']).map(([key, desc]) => ({ key, desc }));
    const fields = pairs(values['field']).map(([key, rest]) => fieldOf(key, rest));
    const text = positionals.join(' ');
    if (branches.length + fields.length === 0) return usage('at least one --branch or --field is needed', TRY_HELP);
    const engine = await engineOf(config, typeof values['profile'] === 'string' ? values['profile'] : null);
    try {
      if (branches.length > 0) print([JSON.stringify(await engine.decide(readDecisionBody({ text, branches })), null, 2)]);
      if (fields.length > 0) print([JSON.stringify(await engine.extract(readExtractBody({ text, fields })), null, 2)]);
    } catch (error) {
      if (isCalloutError(error) && error.code === 'INVALID_ARGUMENT') return usage(error.message, TRY_HELP);
      throw error;
    }
    return 0;
  });

function pairs(given: unknown): [string, string][] {
  return (Array.isArray(given) ? given : []).map(entry => {
    const [key = '', ...rest] = String(entry).split('=');
    return [key, rest.join('=') || key];
  });
}

/** `age=年龄:number`. */
function fieldOf(key: string, rest: string): { key: string; label: string; type: string } {
  const [label = key, type = 'text'] = rest.split(':');
  return { key, label, type };
}

/** `npm run nlu:train`: builds the weights file from the corpus. */
export const nluTrain: Command = () => train();

interface ReadArgs {
  positionals: string[];
  values: Record<string, unknown>;
}

type OptionTable = Record<string, { type: 'string'; multiple?: boolean }>;

async function withConfig(
  help: string,
  args: readonly string[],
  options: OptionTable,
  work: (given: ReadArgs, config: Config) => Promise<number>,
): Promise<number> {
  let given: ReadArgs;
  try {
    given = parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean' } }, allowPositionals: true });
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error), help);
  }
  if (given.values['help']) {
    print([help]);
    return 0;
  }
  const read = await readProcessConfig();
  return read.ok ? work(given, read.config) : refuseConfig(read.faults);
}

function usage(problem: string, help: string): number {
  process.stderr.write(`callout: ${problem}\n${help}`);
  return EX_USAGE;
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
