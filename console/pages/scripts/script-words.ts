import { DEFAULT_BRANCH, type ScriptText } from './script-text.ts';

/** Translates a key of the texts. */
export type Say = (key: string, values?: Readonly<Record<string, string>>) => string;

/** Taken when the customer has said nothing. */
const SILENCE_BRANCH = 'silence';

const HAN = /\p{Script=Han}/u;

/** End of the first clause of a description, before its examples. */
const CLAUSE_END = /[，、；：。,;:(（]/u;

/** Label of a branch: the name that somebody gave it. A code such as `no` beside a Chinese description is none: its first clause says more. */
export function branchWords(key: string, { branches }: Pick<ScriptText, 'branches'>, say: Say): string {
  if (key === DEFAULT_BRANCH) return say('script.otherwise');
  if (key === SILENCE_BRANCH) return say('script.silence');
  const desc = branches.find(branch => branch.key === key)?.desc ?? '';
  return HAN.test(key) || !HAN.test(desc) ? key : desc.split(CLAUSE_END)[0] || key;
}

/** One setting of a node, one line per item, with the script's names for ids. */
export function settingLines(value: unknown, { phrases, fields }: Pick<ScriptText, 'phrases' | 'fields'>): string[] {
  if (Array.isArray(value)) return value.flatMap(each => settingLines(each, { phrases, fields }));
  const { desc, text } = Object(value) as { desc?: unknown; text?: unknown };
  if (typeof desc === 'string' && typeof text === 'string') return [`${desc} → ${text}`];
  return [phrases.find(({ key }) => key === value)?.text ?? fields.find(({ key }) => key === value)?.label ?? plain(value)];
}

/** A result rule as a sentence; all members of its condition must hold. */
export function conditionWords(when: unknown, text: ScriptText, say: Say, isInner = false): string {
  const conditions = membersOf(when).flatMap(([name, value]) => memberWords(name, value, Object(when) as Condition, text, say));
  return grouped(conditions, say('scriptWhen.and'), isInner) || say('script.always');
}

type Condition = Readonly<Record<string, unknown>>;

/** Tests that are shown together with the member that they apply to. */
const TESTS = ['equals', 'in', 'contains', 'atLeast', 'atMost', 'exists'];

function memberWords(name: string, value: unknown, when: Condition, text: ScriptText, say: Say): string[] {
  const inner = (each: unknown) => conditionWords(each, text, say, true);
  const nodeName = () => text.nodes.find(({ id }) => id === when['node'])?.name || plain(when['node']);
  if (name === 'node') return 'branch' in when ? [] : [say('scriptWhen.node', { node: nodeName() })];
  if (name === 'branch') {
    const branch = branchWords(plain(value), text, say);
    return ['node' in when ? say('scriptWhen.nodeBranch', { node: nodeName(), branch }) : say('scriptWhen.branch', { branch })];
  }
  if (name === 'variable') return variableWords(plain(value), when, text, say);
  if (name === 'callStatus') {
    const values = [value].flat().map(each => say(`callStatus.${plain(each).toUpperCase()}`));
    return [say('scriptWhen.callStatus', { value: values.join(say('taker.comma')) })];
  }
  if (name === 'not') return [say('scriptWhen.not', { value: inner(value) })];
  if (name === 'all' && Array.isArray(value)) return value.map(inner);
  if (name === 'any' && Array.isArray(value)) return [grouped(value.map(inner), say('scriptWhen.or'), membersOf(when).length > 1)];
  return TESTS.includes(name) ? [] : [`${name} ${plain(value)}`];
}

/** A variable without a test of its value only has to exist. */
function variableWords(key: string, when: Condition, { variables, fields }: ScriptText, say: Say): string[] {
  const name = [...variables, ...fields].find(each => each.key === key)?.label || key;
  const tests = TESTS.filter(test => test in when);
  if (tests.length === 0) return [say('scriptWhen.exists', { name })];
  return tests.map(test => {
    if (test === 'exists') return say(when[test] === false ? 'scriptWhen.absent' : 'scriptWhen.exists', { name });
    return say(`scriptWhen.${test}`, { name, value: [when[test]].flat().map(plain).join(say('taker.comma')) });
  });
}

function grouped(conditions: readonly string[], word: string, isInner: boolean): string {
  return isInner && conditions.length > 1 ? `(${conditions.join(word)})` : conditions.join(word);
}

function membersOf(value: unknown): [string, unknown][] {
  return Object.entries(Object(value) as Condition);
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
