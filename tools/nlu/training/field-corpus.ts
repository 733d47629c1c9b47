import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { FIELD_TYPES, type FieldDefinition, type FieldType, type FieldValue } from '#protocol/nlu.ts';
import { type ExtractCase, readExtractCases } from '../evaluation/extract-set.ts';
import { CORPUS_FOLDER } from './corpus.ts';

const FOLDER = join(CORPUS_FOLDER, 'fields');
/** Time of the calls in the .txt files. */
const NOW = '2026-03-11T10:00:00+08:00';

/** Cases written by one author. */
export interface FieldAuthor {
  name: string;
  /** Common labels; free text under labels without a rule; a bare value as the whole utterance; or cases for which rules were corrected. */
  kind: 'common' | 'rare' | 'bare' | 'mended';
  cases: ExtractCase[];
}

const KINDS: Readonly<Record<string, FieldAuthor['kind']>> = { 'typed.txt': 'common', 'texts.txt': 'rare', 'bare.txt': 'bare' };

/** All authors of the corpus, in the order of file names. */
export function readFieldAuthors(): FieldAuthor[] {
  return readdirSync(FOLDER)
    .sort()
    .flatMap(file => (file.endsWith('.yaml') ? [mendedFor(file)] : authorsOf(file)));
}

function mendedFor(file: string): FieldAuthor {
  return { name: file, kind: 'mended', cases: readExtractCases(join(FOLDER, file)) };
}

/** A file of blocks: the utterance, then a line `type|label|value` for each field; `## ` starts another author. */
function authorsOf(file: string): FieldAuthor[] {
  const kind = KINDS[file];
  if (kind === undefined) throw new Error(`${file}: no kind of author is known for it`);
  const [, ...parts] = readFileSync(join(FOLDER, file), 'utf8').split(/^## /m);
  return parts.map(part => {
    const [name = '', ...blocks] = part.trim().split(/\n\s*\n/);
    if (name.includes('\n')) throw new Error(`${file}: no empty line after ## ${name}`);
    const cases = blocks.map(block => block.split('\n').filter(line => line.trim() !== '' && !line.startsWith('#')));
    return { name: `${file} ${name}`, kind, cases: cases.filter(lines => lines.length > 0).map(lines => caseOf(lines, file)) };
  });
}

const typeOf = z.enum(FIELD_TYPES);

function caseOf([text = '', ...lines]: readonly string[], file: string): ExtractCase {
  if (lines.length === 0) throw new Error(`${file}: no field after: ${text}`);
  const fields = lines.map((line, at): { field: FieldDefinition; value: FieldValue } => {
    const [type, label, value, more] = line.split('|');
    if (label === undefined || value === undefined || more !== undefined) throw new Error(`${file}: not type|label|value: ${line}`);
    const field = { key: `field${at}`, label, type: typeOf.parse(type) };
    return { field, value: value === '' ? null : VALUES[field.type](value, `${file}: ${line}`) };
  });
  return {
    text,
    fields: fields.map(({ field }) => field),
    expected: Object.fromEntries(fields.map(({ field, value }) => [field.key, value])),
    now: NOW,
  };
}

/** Makes a reader of values of one type; the reader throws when the form is wrong. */
function formed(form: RegExp, read: (value: string) => FieldValue): (value: string, where: string) => FieldValue {
  return (value, where) => {
    if (!form.test(value)) throw new Error(`${where}: no such value`);
    return read(value);
  };
}

const VALUES: Record<FieldType, (value: string, where: string) => FieldValue> = {
  number: formed(/^-?\d+(?:\.\d+)?$/, Number),
  boolean: formed(/^(?:true|false)$/, value => value === 'true'),
  date: formed(/^\d{4}-\d{2}-\d{2}$/, value => value),
  time: formed(/^\d{2}:\d{2}$/, value => value),
  datetime: formed(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, value => `${value}:00+08:00`),
  phone: formed(/^\d{5,15}$/, value => value),
  text: value => value,
};
