import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, randomPick } from '#kernel/random.ts';
import { type ActCorpus, CORPUS_FOLDER } from './corpus.ts';
import type { DecisionTask } from './decision-tasks.ts';

/** Branches of one trade as its script author wrote them, with phrases of customers for each. */
export interface Script {
  domain: string;
  /** A few wide branches by letter; each covers several narrow ones. */
  wide: ReadonlyMap<string, string>;
  branches: readonly ScriptBranch[];
}

export interface ScriptBranch {
  /** Letter of its wide branch. */
  letter: string;
  /** Its act, or `-` when no act matches. */
  act: string;
  written: readonly string[];
  said: readonly string[];
}

/** Share of descriptions reduced to one fragment: some script authors write a word where others explain. */
const FRAGMENT_SHARE = 0.2;

const BRANCH = /^(\S+) (\S+) (.+?) \/ (.+)$/;

/** Reads `corpus/scripts/`: `## trade`, then wide branches `A desc`, then narrow ones `A act desc；desc / said|said`. */
export function readScripts(isWanted: (file: string) => boolean = () => true): Script[] {
  const folder = join(CORPUS_FOLDER, 'scripts');
  return readdirSync(folder)
    .filter(isWanted)
    .sort()
    .flatMap(file => readFileSync(join(folder, file), 'utf8').split(/^## /m).slice(1).map(readScript));
}

function readScript(text: string): Script {
  const [domain = '', ...lines] = text.split('\n').filter(line => line.trim() !== '');
  const wide = new Map<string, string>();
  const branches: ScriptBranch[] = [];
  for (const line of lines) {
    const [, letter = '', act = '', written = '', said = ''] = BRANCH.exec(line) ?? [];
    if (letter === '') wide.set(line.slice(0, 1), line.slice(2));
    else branches.push({ letter, act, written: written.split('；'), said: said.split('|') });
  }
  return { domain, wide, branches };
}

/** Makes two tasks of each utterance: among the narrow branches, and among the wide ones where its branch belongs to one. */
export function scriptTasks(scripts: readonly Script[], random: Random): DecisionTask[] {
  return scripts.flatMap(script => [...narrowTasks(script, random), ...wideTasks(script)]);
}

function narrowTasks({ branches }: Script, random: Random): DecisionTask[] {
  const set = branches.map(({ written }, index) => ({
    key: `k${index}`,
    desc: random.next() < FRAGMENT_SHARE ? randomPick(random, written) : written.join('；'),
  }));
  return branches.flatMap(({ said }, at) => said.map(text => ({ text, branches: set, key: `k${at}` })));
}

function wideTasks({ wide, branches }: Script): DecisionTask[] {
  const set = [...wide].map(([key, desc]) => ({ key, desc }));
  return branches
    .filter(({ letter }) => wide.has(letter))
    .flatMap(({ letter, said }) => said.map(text => ({ text, branches: set, key: letter })));
}

/** Acts of wide branches, recognised by words of their description. */
const WIDE_ACTS: readonly (readonly [RegExp, string])[] = [
  [/问|咨询|疑|打听|了解|ask|question/i, '+question'],
  [/^(?:暂|[^不无没]*不|无|没|拒|非)|wont|negative/i, '+negative'],
  [/愿|意|同意|要|可以|会|预约|下单|参加|办|成功|订|租|搬|洗|写|装|配合|positive|will/i, '+positive'],
];

/** Act of a branch: its own, else that of its wide branch. */
function actOf({ act, letter }: ScriptBranch, { wide }: Script): string {
  if (act !== '-') return act;
  const desc = wide.get(letter) ?? '';
  return WIDE_ACTS.find(([pattern]) => pattern.test(desc))?.[1] ?? '-';
}

/** Adds the scripts' phrases to their acts, so that each act is seen in one more trade. */
export function withSpoken(acts: readonly ActCorpus[], scripts: readonly Script[]): ActCorpus[] {
  const spoken = Map.groupBy(
    scripts.flatMap(script => script.branches.map(branch => ({ act: actOf(branch, script), said: branch.said }))),
    ({ act }) => act,
  );
  return acts.map(act => {
    const more = spoken.get(act.id) ?? [];
    return { ...act, phrases: [...new Set([...act.phrases, ...more.flatMap(({ said }) => said)])] };
  });
}
