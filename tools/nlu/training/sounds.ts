import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORPUS_FOLDER } from './corpus.ts';

/** Characters that sound alike to a recogniser that also hears southern accents. */
export type Sounds = ReadonlyMap<string, readonly string[]>;

/** Reads `sounds.txt`: `syllable characters`; a character with several readings sounds like all of them. */
export function readSounds(): Sounds {
  const bySound = new Map<string, string>();
  for (const line of readFileSync(join(CORPUS_FOLDER, 'sounds.txt'), 'utf8').split('\n')) {
    const [syllable = '', chars = ''] = line.split(' ');
    if (syllable === '' || syllable === '#') continue;
    bySound.set(slurred(syllable), (bySound.get(slurred(syllable)) ?? '') + chars);
  }
  const alike = new Map<string, string[]>();
  for (const chars of bySound.values()) {
    for (const char of chars) alike.set(char, [...(alike.get(char) ?? []), ...Array.from(chars).filter(other => other !== char)]);
  }
  return alike;
}

/** `zhang` and `zan` sound alike with many speakers. */
function slurred(syllable: string): string {
  return syllable.replace(/^([zcs])h/, '$1').replace(/ng$/, 'n');
}
