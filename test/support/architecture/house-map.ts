import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Destination {
  path: string;
  /** It decides and describes, and reaches no technology by a value. */
  isPure: boolean;
}

/** Where each file belongs in the layout by nouns, by its path of today: `old path, new path, pure` in house-map.tsv. */
export const HOUSE_MAP: ReadonlyMap<string, Destination> = new Map(
  readFileSync(join(import.meta.dirname, 'house-map.tsv'), 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const [from = '', path = '', sort] = line.split('\t');
      return [from, { path, isPure: sort === 'pure' }] as const;
    }),
);
