import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WordClass } from '#nlu/local/text/word-classes.ts';

/** Folder of the corpus. */
export const CORPUS_FOLDER = join(import.meta.dirname, '../corpus');

/** One dialogue act of the corpus. */
export interface ActCorpus {
  id: string;
  /** Whether it occurs in calls of every kind, not only in one trade. */
  isGeneral: boolean;
  /** Ways in which script authors describe it. */
  descriptions: string[];
  /** Ways in which customers say it. */
  phrases: string[];
}

/** How far an utterance of act `from` counts as act `to`, 0..1. */
export interface ActRelation {
  from: string;
  to: string;
  weight: number;
}

/** Vocabulary of one trade, to fill frames with. */
export interface Trade {
  /** Actions requested from the customer: 做安检. */
  deeds: readonly string[];
  /** Subjects of the calls: 燃气. */
  things: readonly string[];
}

/** Files whose acts can occur in any set of branches. */
const GENERAL_FILES = new Set([
  'conversation.txt',
  'identity.txt',
  'objection.txt',
  'questions.txt',
  'stance.txt',
  'telephone-more.txt',
  'telephone.txt',
  'time.txt',
]);

/** All acts, in the order of file names and lines: the weights are reproducible only in this order. */
export function readActs(): ActCorpus[] {
  const folder = join(CORPUS_FOLDER, 'acts');
  const acts = new Map<string, ActCorpus>();
  for (const file of readdirSync(folder).sort()) {
    let act: ActCorpus | undefined;
    for (const line of contentLines(join(folder, file))) {
      if (line.startsWith('## ')) act = actOf(acts, line.slice(3).trim(), GENERAL_FILES.has(file));
      else if (act) readActLine(act, line);
      else throw new Error(`${file}: a line before any act: ${line}`);
    }
  }
  return [...acts.values()].map(act => ({ ...act, descriptions: [...new Set(act.descriptions)], phrases: [...new Set(act.phrases)] }));
}

/** Several files may add to the same act. */
function actOf(acts: Map<string, ActCorpus>, id: string, isGeneral: boolean): ActCorpus {
  const act = acts.get(id) ?? { id, isGeneral, descriptions: [], phrases: [] };
  act.isGeneral ||= isGeneral;
  acts.set(id, act);
  return act;
}

function readActLine(act: ActCorpus, line: string): void {
  if (line.startsWith('= ')) act.descriptions.push(...split(line.slice(2), '；'));
  else act.phrases.push(...split(line, '|'));
}

/** Word classes of `topics.txt`; several lines may add to one class. */
export function readWordClasses(): WordClass[] {
  const classes = new Map<string, Set<string>>();
  for (const line of contentLines(join(CORPUS_FOLDER, 'topics.txt')).filter(line => !line.startsWith('#'))) {
    const [id = '', words = ''] = line.split(/:\s*/, 2);
    const known = classes.get(id) ?? new Set();
    for (const word of split(words.toLowerCase(), ' ')) known.add(word);
    classes.set(id, known);
  }
  return [...classes].map(([id, words]) => ({ id, words: [...words] }));
}

/** Relations of `relations.txt`. */
export function readRelations(): ActRelation[] {
  return contentLines(join(CORPUS_FOLDER, 'relations.txt'))
    .filter(line => !line.startsWith('#'))
    .map(line => {
      const [from = '', to = '', weight = ''] = line.split(' ');
      return { from, to, weight: Number(weight) };
    });
}

/** Trades of `trades.txt`: `deeds / things`. */
export function readTrades(): Trade[] {
  return contentLines(join(CORPUS_FOLDER, 'trades.txt'))
    .filter(line => !line.startsWith('#'))
    .map(line => {
      const [deeds = '', things = ''] = line.split(' / ', 2);
      return { deeds: split(deeds, ' '), things: split(things, ' ') };
    });
}

/** The phrases of a file of acts, regardless of their act. */
export function readPhrases(file: string): string[] {
  return contentLines(file)
    .filter(line => !/^(?:##|=) /.test(line))
    .flatMap(line => split(line, '|'));
}

function contentLines(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '');
}

function split(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map(part => part.trim())
    .filter(part => part !== '');
}
