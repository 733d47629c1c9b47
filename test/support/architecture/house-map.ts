import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Destination {
  path: string;
  /** It decides and describes, and reaches no technology by a value. */
  isPure: boolean;
}

/** Maps the current path of each file to its place in the layout by nouns. Rows of house-map.tsv: current path, new path, `pure` where it applies. */
export const HOUSE_MAP: ReadonlyMap<string, Destination> = new Map(
  readFileSync(join(import.meta.dirname, 'house-map.tsv'), 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const [from = '', path = '', sort] = line.split('\t');
      return [from, { path, isPure: sort === 'pure' }] as const;
    }),
);
