import type { ScriptText } from './script-text.ts';

export type ScriptPart = 'node' | 'phrase' | 'variable' | 'branch' | 'field' | 'rule' | 'whole';

interface MemberChange {
  name: string;
  /** Its value in the older version; undefined: it had none. */
  was: unknown;
  /** Its value in the newer version; undefined: it has none. */
  is: unknown;
}

/** One difference between two versions. */
export interface ScriptChange {
  part: ScriptPart;
  /** Name within its part of the script. */
  key: string;
  kind: 'added' | 'removed' | 'changed';
  members: readonly MemberChange[];
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
    .map(name => ({ name, was: given(before[name]), is: given(after[name]) }))
    .filter(({ was, is }) => JSON.stringify(was) !== JSON.stringify(is));
}

function wholeOf({ entryNodeId, profile }: ScriptText): Members {
  return { entryNodeId, profile };
}

/** Before the name of a branch: the member holds the node to which it leads. */
export const LEADS_TO = '→ ';

/** Members of the node's config count as members of the node. */
function nodeMembers({ id, type, name, config, branches }: ScriptText['nodes'][number]): Members & { key: string } {
  const next = Object.fromEntries(branches.map(([branch, to]) => [`${LEADS_TO}${branch}`, to]));
  return { ...config, key: id, name, type, ...next };
}

function byKey(rows: readonly (object & { key: string })[]): Parts {
  return Object.fromEntries(rows.map(({ key, ...members }) => [key, members]));
}

/** Rules have no name: the first match wins, so their position identifies them. */
function byPlace(rows: readonly object[]): Parts {
  return Object.fromEntries(rows.map((row, index) => [`${index + 1}.`, row as Members]));
}

function given(value: unknown): unknown {
  return value === null || value === '' ? undefined : value;
}
