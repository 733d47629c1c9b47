import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT } from '../commands/project.ts';

/** A row of `console/pages.ts`. */
export interface ListedPage {
  key: string;
  /** Path in the router's syntax: `/campaigns/:id`. */
  path: string;
  /** Required permission; null: any signed-in user. */
  needs: string | null;
}

const ROW = /key: '(?<key>\w+)',\s+path: '(?<path>[^']+)',\s+needs: (?:null|'(?<needs>[^']+)'),/g;

/**
 * Reads the pages of the console from the text of their list: the list itself imports components, which Node cannot load.
 *
 * Errors: Error when a row has another form
 */
export async function readPages(): Promise<ListedPage[]> {
  const text = await readFile(join(PROJECT, 'console/pages.ts'), 'utf8');
  const pages = [...text.matchAll(ROW)].map(({ groups }) => ({
    key: groups?.['key'] ?? '',
    path: groups?.['path'] ?? '',
    needs: groups?.['needs'] ?? null,
  }));
  const rows = text.match(/load: async/g)?.length ?? 0;
  if (pages.length !== rows) throw new Error(`console/pages.ts has ${rows} pages, ${pages.length} of them are written as key, path, needs`);
  return pages;
}

/** Replaces the path parameter by a row of the installation; null when there is none. */
export function filledPath(path: string, samples: Readonly<Record<string, string | number | undefined>>): string | null {
  const [, noun = '', parameter] = /^\/([\w-]+)(?:\/:(\w+))?/.exec(path) ?? [];
  if (parameter === undefined) return path;
  const sample = samples[noun];
  return sample === undefined ? null : path.replace(/:\w+/, encodeURIComponent(String(sample)));
}
