import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sirv from 'sirv';
import { type BuiltConsole, consoleFiles, consolePages } from '#edges/console/console-pages.ts';
import type { ServerPart } from './context.ts';

/** Where `npm start` and the image put the built console. */
export const CONSOLE_FOLDER = resolve(import.meta.dirname, '../../../console/dist');

/** Files have the hash of their content in their names. */
const ASSET_SECONDS = 365 * 24 * 60 * 60;

/** The console of a folder, once it lies there: a server that stands before it is built need not start again. */
export function consolePart(folder: string): ServerPart {
  let built: BuiltConsole | null = null;
  const read = async () => (built ??= await readConsole(folder));
  return { mount: consoleFiles(read), lastly: consolePages(read) };
}

async function readConsole(folder: string): Promise<BuiltConsole | null> {
  try {
    const page = await readFile(join(folder, 'index.html'), 'utf8');
    return { page, files: sirv(folder, { brotli: true, gzip: true, etag: true, maxAge: ASSET_SECONDS, immutable: true }) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}
