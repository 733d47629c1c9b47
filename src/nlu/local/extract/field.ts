import { FIELD_TYPES, type FieldDefinition, type FieldType } from '#protocol/nlu.ts';
import { type FieldKeys, fieldKeysOf } from './field-keys.ts';
import { type NumberAsked, numberAsked } from './number-units.ts';
import { type Reading, readingOf } from './readings.ts';
import { listsFor, type ValueList } from './value-lists.ts';

/** A field, prepared for reading. */
export interface Field {
  type: FieldType;
  label: string;
  reading: Reading;
  asked: FieldKeys;
  measured: NumberAsked;
  lists: readonly ValueList[];
}

/** Most cached fields. */
const MAX_FIELDS = 1_024;
/** Cache of prepared fields, because the same few forms recur. */
const knownFields = new Map<string, Field>();

/** Prepares a field; an unknown type is read as text. */
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
    asked: fieldKeysOf(type, reading, label),
    measured: numberAsked(label, reading),
    lists: listsFor(label),
  };
  // Clears everything when full: cheaper than tracking use.
  if (knownFields.size >= MAX_FIELDS) knownFields.clear();
  knownFields.set(name, field);
  return field;
}

/** Most characters read of a label or key. */
const MAX_READ_CHARS = 100;
