import { createHash } from 'node:crypto';
import type { NluPlan, ResultRule, ScriptGraph, ScriptNode } from '#protocol/script.ts';

/** The script as the call-flow runtime executes it, without labels and descriptions. Source: OCS 4.3, D11 */
export interface RuntimeScript {
  id: number;
  version: number;
  /** SHA-256 (hex) of the canonical JSON of all other members; used as ETag. */
  hash: string;
  entryNodeId: string;
  nodes: Readonly<Record<string, RuntimeNode>>;
  /** Default value by variable key. */
  variables: Readonly<Record<string, unknown>>;
  /** Text by phrase key. */
  phrases: Readonly<Record<string, string>>;
  nlu: NluPlan;
  resultRules: readonly ResultRule[];
}

type RuntimeNode = Omit<ScriptNode, 'next'> & { next: string | Readonly<Record<string, string>> | null };

/** Compiles a valid script; equal content gives the same hash whatever the order of members. */
export function compileRuntime(script: ScriptGraph & { id: number; version: number }): RuntimeScript {
  const content = {
    id: script.id,
    version: script.version,
    entryNodeId: script.entryNodeId,
    nodes: Object.fromEntries(script.nodes.map(node => [node.id, runtimeNode(node)])),
    variables: Object.fromEntries(script.variables.map(({ key, defaultValue }) => [key, defaultValue ?? null])),
    phrases: Object.fromEntries(script.phrases.map(({ key, text }) => [key, text])),
    nlu: script.nlu,
    resultRules: script.resultRules,
  };
  const { id, version, ...rest } = content;
  return { id, version, hash: createHash('sha256').update(canonicalJson(content)).digest('hex'), ...rest };
}

/** JSON with members sorted by name at every level. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => (isPlainObject(member) ? sortedMembers(member) : member));
}

function runtimeNode({ id, type, name, config, next }: ScriptNode): RuntimeNode {
  return { id, type, name, config, next: next ?? null };
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Integer-like names always come first in an object; that order is stable, too. */
function sortedMembers(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
