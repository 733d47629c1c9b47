import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WordClass } from '#nlu/local/text/word-classes.ts';
import { CORPUS_FOLDER } from './corpus.ts';

/** A description with the phrases that express it; `{x}` in a matter stands for the thing. */
export interface Wording {
  written: readonly string[];
  said: readonly string[];
}

/** Things and their possible matters: each combination is an intent of its own. */
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

/** Reads `concepts/`: descriptions of script authors with the words in which customers express them, `written；… / said|…`. */
export function readConcepts(): Wording[] {
  return readdirSync(join(CORPUS_FOLDER, 'concepts'))
    .sort()
    .flatMap(file => contentLines(join('concepts', file)))
    .map(line => wording(line, [/；/, /\|/]));
}

/** Reads `synonyms.txt`: one group of synonyms per line. */
export function readSynonyms(): string[][] {
  return contentLines('synonyms.txt').map(line => line.split(' '));
}

/** Each group of synonyms forms a word class, so that what is learned for one word applies to the others. */
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
