import { inShownUnit } from '../../text/milliseconds.ts';
import type { ScriptText } from './script-text.ts';

export type ScriptPart = 'node' | 'phrase' | 'variable' | 'branch' | 'field' | 'rule' | 'whole';

/** One difference between two versions. */
export interface ScriptChange {
  part: ScriptPart;
  /** Name within its part of the script. */
  key: string;
  kind: 'added' | 'removed' | 'changed';
  members: readonly { name: string; before: string; after: string }[];
}

/** Differences between two versions, in the reading order of a script. */
export function differenceOf(before: ScriptText, after: ScriptText): ScriptChange[] {
  return [
    ...changesOf('whole', { '': wholeOf(before) }, { '': wholeOf(after) }),
    ...changesOf('node', byKey(before.nodes.map(nodeMembers)), byKey(after.nodes.map(nodeMembers))),
    ...changesOf('phrase', byKey(before.phrases), byKey(after.phrases)),
    ...changesOf('variable', byKey(before.variables), byKey(after.variables)),
    ...changesOf('branch', byKey(before.branches), byKey(after.branches)),
    ...changesOf('field', byKey(before.fields), byKey(after.fields)),
    ...changesOf('rule', byPlace(before.rules), byPlace(after.rules)),
  ];
}

type Members = Readonly<Record<string, unknown>>;
type Parts = Readonly<Record<string, Members>>;

function changesOf(part: ScriptPart, before: Parts, after: Parts): ScriptChange[] {
  const keys = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return keys.flatMap(key => {
    const [old, present] = [before[key], after[key]];
    const members = membersChanged(old ?? {}, present ?? {});
    if (old && present && members.length === 0) return [];
    return [{ part, key, kind: old ? (present ? 'changed' : 'removed') : 'added', members } as const];
  });
}

function membersChanged(before: Members, after: Members) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .map(name => ({ name, before: textOf(name, before[name]), after: textOf(name, after[name]) }))
    .filter(member => member.before !== member.after);
}

function wholeOf({ entryNodeId, profile }: ScriptText): Members {
  return { entryNodeId, profile };
}

/** Members of the node's config count as members of the node. */
function nodeMembers({ id, type, name, config, branches }: ScriptText['nodes'][number]): Members & { key: string } {
  const next = Object.fromEntries(branches.map(([branch, to]) => [`→ ${branch}`, to]));
  return { ...config, key: id, name, type, ...next };
}

function byKey(rows: readonly (object & { key: string })[]): Parts {
  return Object.fromEntries(rows.map(({ key, ...members }) => [key, members]));
}

/** Rules have no name: the first match wins, so their position identifies them. */
function byPlace(rows: readonly object[]): Parts {
  return Object.fromEntries(rows.map((row, index) => [`${index + 1}.`, row as Members]));
}

function textOf(name: string, given: unknown): string {
  const value = inShownUnit(name, given);
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
}
