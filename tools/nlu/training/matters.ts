import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WordClass } from '#companions/nlu/local/text/word-classes.ts';
import { CORPUS_FOLDER } from './corpus.ts';

/** Something written in one way and said in others; `{x}` in a matter stands for the thing. */
export interface Wording {
  written: readonly string[];
  said: readonly string[];
}

/** Things and what may be the matter with them: each matter of each thing is an intent of its own. */
export interface Matters {
  things: readonly Wording[];
  matters: readonly Wording[];
}

/** Reads `matters.txt`: `thing written … / said …` and `matter written；… / said|…`. */
export function readMatters(): Matters {
  const lines = contentLines('matters.txt');
  const wordings = (kind: string, separators: readonly [RegExp, RegExp]) =>
    lines.filter(line => line.startsWith(`${kind} `)).map(line => wording(line.slice(kind.length + 1), separators));
  return { things: wordings('thing', [/ /, / /]), matters: wordings('matter', [/；/, /\|/]) };
}

/** Reads `concepts/`: what script writers put and the words that customers say it in, `written；… / said|…`. */
export function readConcepts(): Wording[] {
  return readdirSync(join(CORPUS_FOLDER, 'concepts'))
    .sort()
    .flatMap(file => contentLines(join('concepts', file)))
    .map(line => wording(line, [/；/, /\|/]));
}

/** Reads `synonyms.txt`: words for the same thing, one group a line. */
export function readSynonyms(): string[][] {
  return contentLines('synonyms.txt').map(line => line.split(' '));
}

/** Words for the same thing are a class each: what is learned of one holds for the others. */
export function synonymClasses(synonyms: readonly (readonly string[])[]): WordClass[] {
  return synonyms.map((words, at) => ({ id: `same${at}`, words }));
}

function wording(line: string, [writtenBy, saidBy]: readonly [RegExp, RegExp]): Wording {
  const [written = '', said = ''] = line.split(' / ', 2);
  return { written: written.split(writtenBy), said: said.split(saidBy) };
}

function contentLines(file: string): string[] {
  return readFileSync(join(CORPUS_FOLDER, file), 'utf8')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));
}
