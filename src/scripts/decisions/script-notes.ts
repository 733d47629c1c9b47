import { type Problem, problem } from '#kernel/problem.ts';
import { NODE_TYPE_FORMS, type NodeField } from '#protocol/script-nodes.ts';
import { branchesOf, DEFAULT_BRANCH, type ScriptFault, type ScriptGraph, type ScriptNode } from '#protocol/script.ts';
import { SILENCE_BRANCH } from './flow/nodes/branch.ts';
import { NAME_VARIABLE, placesOf } from './needed-variables.ts';

/** Most notes of one script that an editor shows. */
const MAX_NOTES = 200;

const FORMS = new Map<string, (typeof NODE_TYPE_FORMS)[number]>(NODE_TYPE_FORMS.map(form => [form.type, form]));
/** Node types that exist to speak. */
const SPEAKING: ReadonlySet<string> = new Set(['send', 'collect']);

/** The names that members of a node's configuration may refer to. */
interface Names {
  phrases: ReadonlyMap<string, string>;
  fields: ReadonlySet<string>;
  branches: ReadonlySet<string>;
  variables: ReadonlySet<string>;
}

/**
 * Warnings about a script: it runs, but a node names a phrase, field, branch or variable that does not exist, says nothing, or holds a
 * number beyond its bounds.
 *
 * Shape: `field` is the path in the request body, `nodes[3].config.phrase`
 */
export function scriptNotes(script: ScriptGraph): ScriptFault[] {
  const names = namesOf(script);
  const notes = script.nodes.flatMap((node, index) =>
    [...notesOfNode(node, names)].map(({ member, problem }) => ({ field: `nodes[${index}].${member}`, nodeId: node.id, problem })),
  );
  return notes.slice(0, MAX_NOTES);
}

function namesOf({ phrases, nlu, variables, nodes }: ScriptGraph): Names {
  const collected = nodes.flatMap(({ config }) => (typeof config['variable'] === 'string' ? [config['variable']] : []));
  const fields = new Set(nlu.fields.map(({ key }) => key));
  return {
    fields,
    phrases: new Map(phrases.map(({ key, text }) => [key, text])),
    branches: new Set([DEFAULT_BRANCH, SILENCE_BRANCH, ...nlu.branches.map(({ key }) => key)]),
    variables: new Set([NAME_VARIABLE, 'callbackNote', ...variables.map(({ key }) => key), ...collected, ...fields]),
  };
}

interface Note {
  member: string;
  problem: Problem;
}

function* notesOfNode(node: ScriptNode, names: Names): Generator<Note, undefined> {
  const { config, type } = node;
  if (SPEAKING.has(type) && isBlank(config['text']) && isBlank(config['phrase']))
    yield { member: 'config.text', problem: problem('saysNothing') };
  for (const field of FORMS.get(type)?.fields ?? []) {
    const value = config[field.name];
    const found = value === undefined || value === null ? null : fieldNote(field, value, names);
    if (found !== null) yield { member: `config.${field.name}`, problem: found };
  }
  for (const [branch] of branchesOf(node))
    if (!names.branches.has(branch)) yield { member: 'next', problem: problem('unknownBranch', { branch }) };
}

function fieldNote({ kind, min = 0, max = 0 }: NodeField, value: unknown, names: Names): Problem | null {
  if (kind === 'number') return isWithin(value, min, max) ? null : problem('integerBetween', { min, max });
  if (kind === 'phrase') return phraseNote(value, names);
  if (kind === 'fields') {
    const unknown = Array.isArray(value) ? value.find(key => !names.fields.has(String(key))) : undefined;
    return unknown === undefined ? null : problem('unknownField', { field: String(unknown) });
  }
  return textNote(value, names);
}

function phraseNote(value: unknown, names: Names): Problem | null {
  if (isBlank(value)) return null;
  const text = names.phrases.get(String(value));
  return text === undefined ? problem('unknownPhrase', { phrase: String(value) }) : textNote(text, names);
}

/** A variable that nothing fills is spoken as silence. */
function textNote(value: unknown, { variables }: Names): Problem | null {
  const texts = typeof value === 'string' ? value : JSON.stringify(value);
  const unknown = placesOf(texts).find(key => !variables.has(key));
  return unknown === undefined ? null : problem('unknownVariable', { variable: unknown });
}

function isWithin(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}

function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === '';
}
