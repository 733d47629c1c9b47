import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExtractResult, FieldDefinition, FieldType, FieldValue } from '#protocol/nlu.ts';
import type { ExtractTask } from '../../engine.ts';
import type { ValueCandidate } from './candidates.ts';
import { type Choice, choose, type ChoiceModel, Signs } from './choice-model.ts';
import type { FieldKeys } from './field-keys.ts';
import { type Field, fieldOf } from './field.ts';
import { candidatesFor } from './field-candidates.ts';
import { addSigns, ALL, wholeness } from './field-signs.ts';
import type { CallTime } from './moment.ts';
import { Sources } from './sources.ts';
import { MAX_CHARS } from './spoken-text.ts';

/** A field of an utterance with its candidates, from which the model chooses. */
export interface OpenField {
  type: FieldType;
  candidates: readonly ValueCandidate[];
  /** Set for a single field when the utterance is nothing but one value: the field is then not left empty. */
  isAnswered: boolean;
  /** Adds one group of signs for each candidate, and those for an empty field. */
  addSigns: (signs: Signs) => void;
}

const signs = new Signs();

/** Context in which an utterance is read. */
interface ExtractContext {
  call: CallTime;
  model: ChoiceModel;
}

/** Work up to which everything is read at once, in characters: the utterance counts once for each field. */
const AT_ONCE_CHARS = 2_000;
/** Characters per slice: about a millisecond. */
const SLICE_CHARS = 800;

/**
 * Reads every field from the utterance; a large task is read in slices, so that other requests do not wait for it.
 *
 * Shape:  contains every requested key, null where nothing was said; `__proto__` is a key like any other; `confidence` is the mean over the
 *         fields of the probability that the value, or its absence, is right
 * Source: D13.3
 */
export function extractFields({ text, fields }: ExtractTask, context: ExtractContext): ExtractResult | Promise<ExtractResult> {
  return fields.length * Math.min(text.length, MAX_CHARS) > AT_ONCE_CHARS
    ? extractInTurns({ text, fields }, context)
    : extractAtOnce({ text, fields }, context);
}

/** Like `extractFields`, but synchronous, however long it takes. */
export function extractAtOnce({ text, fields }: ExtractTask, { call, model }: ExtractContext): ExtractResult {
  return resultOf(
    fields,
    openFields(text, fields, call).map(open => fill(open(), model)),
  );
}

async function extractInTurns({ text, fields }: ExtractTask, { call, model }: ExtractContext): Promise<ExtractResult> {
  const filled: FilledField[] = [];
  let chars = 0;
  for (const open of openFields(text, fields, call)) {
    chars += Math.min(text.length, MAX_CHARS);
    if (chars > SLICE_CHARS) {
      await nextTurn();
      chars = 0;
    }
    filled.push(fill(open(), model));
  }
  return resultOf(fields, filled);
}

interface FilledField {
  value: FieldValue;
  probability: number;
}

function fill(open: OpenField, model: ChoiceModel): FilledField {
  const { at, probability } = chosen(open, model);
  return { value: open.candidates[at]?.value ?? null, probability };
}

function resultOf(fields: readonly FieldDefinition[], filled: readonly FilledField[]): ExtractResult {
  const confidence = filled.reduce((sum, { probability }) => sum + probability, 0) / Math.max(1, filled.length);
  return {
    fields: Object.fromEntries(fields.map(({ key }, at) => [key, filled[at]?.value ?? null])),
    confidence: Math.round(confidence * 1000) / 1000,
    reason: reasonOf(fields, filled),
  };
}

/** Chooses the candidate for a field by its signs. */
export function chosen({ type, candidates, isAnswered, addSigns: add }: OpenField, model: ChoiceModel): Choice {
  signs.clear();
  add(signs);
  return choose(signs, model, {
    isSameValue: (one, other) => candidates[one]?.value === candidates[other]?.value,
    isAnswered,
    isSameStretch: (one, other) => type === 'text' && overlap(candidates[one], candidates[other]),
  });
}

const overlap = (one: ValueCandidate | undefined, other: ValueCandidate | undefined) =>
  one !== undefined && other !== undefined && one.start < other.end && other.start < one.end;

/** Lists every value that the utterance offers for a field, the choice of the rules first. */
export function candidateValues(text: string, field: FieldDefinition, call: CallTime): FieldValue[] {
  const candidates = openFields(text, [field], call).flatMap(open => open().candidates);
  return candidates.toSorted((one, other) => other.ruled - one.ruled).map(({ value }) => value);
}

/** Most other fields of the same type that are compared with a field. */
const MAX_RIVALS = 8;

function rivalsOf(field: Field, asked: readonly Field[]): FieldKeys[] {
  const rivals = asked.filter(other => other !== field && other.type === field.type);
  return rivals.slice(0, MAX_RIVALS).map(other => other.asked);
}

/** Returns, for each field, a function that lists its candidates. */
export function openFields(text: string, fields: readonly FieldDefinition[], call: CallTime): (() => OpenField)[] {
  const sources = new Sources(text, fields.length, call);
  const asked = fields.map(fieldOf);
  return asked.map(field => () => {
    const candidates = candidatesFor(sources, field);
    const others = asked.length === 1 ? [] : rivalsOf(field, asked);
    const isAnswered =
      fields.length === 1 &&
      field.type !== 'text' &&
      candidates.some(candidate => candidate.ruled > 0 && wholeness(candidate, sources.heard) === ALL);
    return {
      type: field.type,
      candidates,
      isAnswered,
      addSigns: into => addSigns(sources.heard, { asked: field.asked, others }, candidates, into),
    };
  });
}

const MAX_NAMED_FIELDS = 8;
const MAX_LABEL_CHARS = 20;
/** Below this probability, a value is more likely wrong than right. */
const UNSURE = 0.5;

/** States which fields were found, which were not, and which of both are uncertain. */
function reasonOf(fields: readonly FieldDefinition[], filled: readonly FilledField[]): string {
  const found = listed('提取到', fields, at => filled[at]?.value !== null);
  const missing = listed('未提到', fields, at => filled[at]?.value === null);
  const unsure = listed('没有把握', fields, at => (filled[at]?.probability ?? 0) < UNSURE);
  return [found, missing, unsure].filter(part => part !== '').join('；');
}

/** Names the first fields for which the condition holds; empty when there are none. */
function listed(what: string, fields: readonly FieldDefinition[], isSo: (at: number) => boolean): string {
  let names = '';
  let count = 0;
  for (let at = 0; at < fields.length && count < MAX_NAMED_FIELDS; at += 1) {
    if (!isSo(at)) continue;
    const { key, label } = fields[at] as FieldDefinition;
    names += `${count === 0 ? `${what}：` : '、'}${(label || key).slice(0, MAX_LABEL_CHARS).toWellFormed()}`;
    count += 1;
  }
  return names;
}
