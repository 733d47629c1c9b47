import { FIELD_TYPES, type FieldDefinition, type FieldType } from '#contract/nlu/extract.ts';
import { type Asked, askedOf } from './asked.ts';
import { type NumberAsked, numberAsked } from './number-units.ts';
import { type Reading, readingOf } from './readings.ts';
import { listsFor, type ValueList } from './value-lists.ts';

/** A field with what it asks for. */
export interface Field {
  type: FieldType;
  label: string;
  reading: Reading;
  asked: Asked;
  measured: NumberAsked;
  lists: readonly ValueList[];
}

/** Most fields that are remembered. */
const MAX_FIELDS = 1_024;
/** What the fields of the same few forms ask for. */
const knownFields = new Map<string, Field>();

/** What a field asks for; of a type that is not known, text. */
export function fieldOf(definition: FieldDefinition): Field {
  const type = FIELD_TYPES.find(one => one === definition.type) ?? 'text';
  const label = definition.label.slice(0, MAX_READ_CHARS);
  const key = definition.key.slice(0, MAX_READ_CHARS);
  const name = `${type} ${key.length} ${key}${label}`;
  const known = knownFields.get(name);
  if (known) return known;
  const reading = readingOf(label, key);
  const field = {
    type,
    label,
    reading,
    asked: askedOf(type, reading, label),
    measured: numberAsked(label, reading),
    lists: listsFor(label),
  };
  // When full, everything is forgotten: cheaper than an order of use.
  if (knownFields.size >= MAX_FIELDS) knownFields.clear();
  knownFields.set(name, field);
  return field;
}

/** Of a longer label or key only the start is read. Characters. */
const MAX_READ_CHARS = 100;
