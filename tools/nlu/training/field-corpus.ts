import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { FIELD_TYPES, type FieldDefinition, type FieldValue } from '#contract/nlu/extract.ts';
import { type ExtractCase, readExtractCases } from '../evaluation/extract-set.ts';
import { CORPUS_FOLDER } from './corpus.ts';

const FOLDER = join(CORPUS_FOLDER, 'fields');
/** When the calls of the .txt files are. */
const NOW = '2026-03-11T10:00:00+08:00';

/** Cases that one author wrote, or that the rules were mended for. */
export interface FieldAuthor {
  name: string;
  /** The rules know these cases: they look better on them than they are. */
  isKnownToRules: boolean;
  cases: ExtractCase[];
}

/** Every author of the corpus, in the order of the files' names. */
export function readFieldAuthors(): FieldAuthor[] {
  return readdirSync(FOLDER)
    .sort()
    .flatMap(file => (file.endsWith('.yaml') ? [mendedFor(file)] : authorsOf(file)));
}

function mendedFor(file: string): FieldAuthor {
  return { name: file, isKnownToRules: true, cases: readExtractCases(join(FOLDER, file)) };
}

/** A file of blocks: what was said, then a line `type|label|value` for each field; `## ` starts another author. */
function authorsOf(file: string): FieldAuthor[] {
  const [, ...parts] = readFileSync(join(FOLDER, file), 'utf8').split(/^## /m);
  return parts.map(part => {
    const [name = '', ...blocks] = part.split(/\n\s*\n/);
    const cases = blocks.map(block => block.split('\n').filter(line => line.trim() !== '' && !line.startsWith('#')));
    return {
      name: `${file} ${name.trim()}`,
      isKnownToRules: false,
      cases: cases.filter(lines => lines.length > 0).map(lines => caseOf(lines, file)),
    };
  });
}

const typeOf = z.enum(FIELD_TYPES);

function caseOf([text = '', ...lines]: readonly string[], file: string): ExtractCase {
  if (lines.length === 0) throw new Error(`${file}: no field after: ${text}`);
  const fields = lines.map((line, at): { field: FieldDefinition; value: FieldValue } => {
    const [type, label, value, more] = line.split('|');
    if (label === undefined || value === undefined || more !== undefined) throw new Error(`${file}: not type|label|value: ${line}`);
    const field = { key: `field${at}`, label, type: typeOf.parse(type) };
    return { field, value: valueOf(field.type, value) };
  });
  return {
    text,
    fields: fields.map(({ field }) => field),
    expected: Object.fromEntries(fields.map(({ field, value }) => [field.key, value])),
    now: NOW,
  };
}

function valueOf(type: (typeof FIELD_TYPES)[number], value: string): FieldValue {
  if (value === '') return null;
  if (type === 'number') return Number(value);
  if (type === 'boolean') return value === 'true';
  return type === 'datetime' ? `${value}:00+08:00` : value;
}
