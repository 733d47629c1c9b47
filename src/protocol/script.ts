import type { Branch } from './nlu.ts';
import type { InputFault } from '#kernel/errors.ts';
import { type Problem, problem } from '#kernel/problem.ts';

/** Limit of nested `all`, `any` and `not`. */
export const MAX_CONDITION_DEPTH = 8;
/** Limit of entries in `all`, `any` or `in`. */
export const MAX_CONDITION_ITEMS = 100;

type Scalar = string | number | boolean;

/**
 * The `when` of a result rule: data, never code. All members of an object must hold; an empty object always holds.
 *
 * - `node`: the call visited this node. `branch`: the call left a node (this `node`, when given) by this branch.
 * - `variable` with one or more of `equals`, `in`, `contains` (text), `atLeast`, `atMost` (numbers), `exists` (collected, not null or
 *   empty; the default). `callStatus`: how the call ended (one or a list).
 * - `all`, `any`: combine the listed conditions. `not`: negates one.
 *
 * Source: D11 "resultRules[]"
 */
export interface ScriptCondition {
  node?: string;
  branch?: string;
  variable?: string;
  equals?: Scalar;
  in?: readonly Scalar[];
  contains?: string;
  atLeast?: number;
  atMost?: number;
  exists?: boolean;
  callStatus?: string | readonly string[];
  all?: readonly ScriptCondition[];
  any?: readonly ScriptCondition[];
  not?: ScriptCondition;
}

/** Facts about a finished call that conditions can test. */
export interface ConditionFacts {
  callStatus: string | null;
  /** Steps in order: the node, and the branch by which the call left it (null when the call ended there). */
  steps: readonly { nodeId: string; branch: string | null }[];
  variables: Readonly<Record<string, unknown>>;
}

type Check = (value: unknown) => Problem | null;

const isScalar = (value: unknown): value is Scalar => typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
const text: Check = value => (typeof value === 'string' && value !== '' ? null : problem('filledText'));
const finite: Check = value => (Number.isFinite(value) ? null : problem('number'));
const scalar: Check = value => (isScalar(value) ? null : problem('scalar'));
const boolean: Check = value => (typeof value === 'boolean' ? null : problem('boolean'));
const isListOf = (value: unknown, check: Check): boolean =>
  Array.isArray(value) && value.length <= MAX_CONDITION_ITEMS && value.every(item => check(item) === null);

const SCALAR_MEMBERS: Readonly<Record<string, Check>> = {
  node: text,
  branch: text,
  variable: text,
  equals: scalar,
  in: value => (isListOf(value, scalar) ? null : problem('listUpTo', { max: MAX_CONDITION_ITEMS })),
  contains: text,
  atLeast: finite,
  atMost: finite,
  exists: boolean,
  callStatus: value => (text(value) === null || isListOf(value, text) ? null : problem('textOrTexts')),
};

const VARIABLE_TESTS = ['equals', 'in', 'contains', 'atLeast', 'atMost', 'exists'] as const;

/**
 * Validates a `when` as submitted; null when it is valid.
 *
 * Shape: `field` is the full path, starting with `path`: `resultRules[0].when.all[1].node`
 */
export function conditionFault(condition: unknown, path: string, depth = 1): InputFault | null {
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition))
    return { field: path, problem: problem('condition') };
  if (depth > MAX_CONDITION_DEPTH) return { field: path, problem: problem('conditionTooDeep', { max: MAX_CONDITION_DEPTH }) };
  for (const [member, value] of Object.entries(condition)) {
    const fault = memberFault(member, value, `${path}.${member}`, depth);
    if (fault) return fault;
  }
  const stray = VARIABLE_TESTS.find(member => member in condition);
  return stray !== undefined && !('variable' in condition)
    ? { field: `${path}.${stray}`, problem: problem('needs', { other: 'variable' }) }
    : null;
}

/** Whether the facts satisfy a valid condition. */
export function isFulfilled(condition: ScriptCondition, facts: ConditionFacts): boolean {
  return (
    fitsPath(condition, facts) &&
    fitsVariable(condition, facts) &&
    (condition.callStatus === undefined || [condition.callStatus].flat().some(status => status === facts.callStatus)) &&
    (condition.all?.every(inner => isFulfilled(inner, facts)) ?? true) &&
    (condition.any?.some(inner => isFulfilled(inner, facts)) ?? true) &&
    (condition.not === undefined || !isFulfilled(condition.not, facts))
  );
}

function memberFault(member: string, value: unknown, field: string, depth: number): InputFault | null {
  if (member === 'not') return conditionFault(value, field, depth + 1);
  if (member === 'all' || member === 'any') return listFault(value, field, depth);
  const check = Object.hasOwn(SCALAR_MEMBERS, member) ? SCALAR_MEMBERS[member] : undefined;
  const found = check ? check(value) : problem('conditionMember');
  return found === null ? null : { field, problem: found };
}

function listFault(value: unknown, field: string, depth: number): InputFault | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_CONDITION_ITEMS) {
    return { field, problem: problem('listBetween', { min: 1, max: MAX_CONDITION_ITEMS }) };
  }
  for (const [index, inner] of value.entries()) {
    const fault = conditionFault(inner, `${field}[${index}]`, depth + 1);
    if (fault) return fault;
  }
  return null;
}

function fitsPath({ node, branch }: ScriptCondition, { steps }: ConditionFacts): boolean {
  if (node === undefined && branch === undefined) return true;
  return steps.some(step => (node === undefined || step.nodeId === node) && (branch === undefined || step.branch === branch));
}

function fitsVariable(condition: ScriptCondition, { variables }: ConditionFacts): boolean {
  if (condition.variable === undefined) return true;
  const value = Object.hasOwn(variables, condition.variable) ? variables[condition.variable] : undefined;
  const isPresent = value !== undefined && value !== null && value !== '';
  if (!isPresent || condition.exists === false) return !isPresent && condition.exists === false;
  return (
    (condition.equals === undefined || value === condition.equals) &&
    (condition.in === undefined || condition.in.some(item => item === value)) &&
    (condition.contains === undefined || (typeof value === 'string' && value.includes(condition.contains))) &&
    (condition.atLeast === undefined || (typeof value === 'number' && value >= condition.atLeast)) &&
    (condition.atMost === undefined || (typeof value === 'number' && value <= condition.atMost))
  );
}

/** Source: OCS 4.3 */
export const SCRIPT_NODE_TYPES = ['start', 'send', 'collect', 'router', 'chat', 'end', 'transfer'] as const;

/** Limit of nodes in a script. */
export const MAX_SCRIPT_NODES = 500;
export const MAX_RESULT_RULES = 200;
/** Branch taken when no other matches. */
export const DEFAULT_BRANCH = 'default';

export interface ScriptNode {
  id: string;
  type: string;
  name: string;
  config: Readonly<Record<string, unknown>>;
  /** A node id, or node ids by branch with `default`; absent or null at the end of a path. */
  next?: string | Readonly<Record<string, string>> | null;
}

export interface ResultRule {
  /** Absent or null: always matches. */
  when?: ScriptCondition | null;
  classification: string | null;
  intent: string | null;
}

export interface NluPlan {
  profile?: string | null;
  branches: readonly Branch[];
  fields: readonly { key: string; label: string; type: string }[];
}

/** The parts of a stored script that are needed to run a call. Source: D11 */
export interface ScriptGraph {
  entryNodeId: string;
  nodes: readonly ScriptNode[];
  variables: readonly { key: string; label?: string; defaultValue: unknown }[];
  phrases: readonly { key: string; text: string }[];
  nlu: NluPlan;
  resultRules: readonly ResultRule[];
}

/** A fault of a script: `field` is the path in the request body, `nodeId` null when it concerns no single node. */
export interface ScriptFault extends InputFault {
  nodeId: string | null;
}

/** Target nodes of `next` by branch; a plain `next` is the default branch. */
export function branchesOf({ next }: ScriptNode): readonly (readonly [branch: string, nodeId: string])[] {
  if (next === undefined || next === null) return [];
  return typeof next === 'string' ? [[DEFAULT_BRANCH, next]] : Object.entries(next);
}

/**
 * Classification and intent of a finished call, from the first rule whose `when` matches; null when none does.
 *
 * Source: D11 "resultRules[]"
 */
export function chooseResult(rules: readonly ResultRule[], facts: ConditionFacts): Pick<ResultRule, 'classification' | 'intent'> | null {
  const rule = rules.find(({ when }) => when === undefined || when === null || isFulfilled(when, facts));
  return rule ? { classification: rule.classification, intent: rule.intent } : null;
}
