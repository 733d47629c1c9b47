import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { fieldValue } from '#protocol/nlu-answers.ts';
import type { FieldDefinition, FieldValue } from '#protocol/nlu.ts';

/** One case of an extraction evaluation: which values do the fields have? */
export interface ExtractCase {
  text: string;
  fields: readonly FieldDefinition[];
  expected: Readonly<Record<string, FieldValue>>;
  /** Time of the call, ISO 8601; null for now. */
  now: string | null;
}

export const fieldDefinition = z.object({ key: z.string().min(1), label: z.string(), type: z.string() });

const extractFile = z.object({
  now: z.string(),
  fields: z.record(z.string(), fieldDefinition),
  cases: z.array(z.tuple([z.string(), z.record(z.string(), fieldValue)])),
});

/** Reads an extract file; its cases refer to fields of its table. */
export function readExtractCases(path: string): ExtractCase[] {
  const { now, fields, cases } = extractFile.parse(parse(readFileSync(path, 'utf8')));
  return cases.map(([text, expected]) => {
    const asked = Object.entries(expected).map(([name, value]) => ({ field: fieldNamed(fields, name), value }));
    return {
      text,
      fields: asked.map(({ field }) => field),
      expected: Object.fromEntries(asked.map(({ field, value }) => [field.key, value])),
      now,
    };
  });
}

function fieldNamed(fields: Readonly<Record<string, FieldDefinition>>, name: string): FieldDefinition {
  const field = fields[name];
  if (!field) throw new Error(`extract cases: no field named ${name}`);
  return field;
}

/** Whether two values are equal: numbers to nine digits, times with or without seconds, text without its spaces. */
export function sameValue(one: FieldValue, other: FieldValue): boolean {
  if (typeof one === 'number' && typeof other === 'number') return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other));
  if (typeof one === 'string' && typeof other === 'string') return comparable(one) === comparable(other);
  return one === other;
}

function comparable(text: string): string {
  const plain = text.replace(/\s/g, '');
  if (/^\d{2}:\d{2}:00$/.test(plain)) return plain.slice(0, 5);
  return /^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:?\d{2})$/.test(plain) ? String(Date.parse(plain)) : plain;
}
