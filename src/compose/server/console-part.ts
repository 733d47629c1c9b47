import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sirv from 'sirv';
import type { Clock } from '#kernel/clock.ts';
import { type BuiltConsole, consoleFiles, consolePages } from '#edges/console/console-pages.ts';
import type { ServerPart } from './context.ts';

/** Where `npm start` and the image put the built console. */
export const CONSOLE_FOLDER = resolve(import.meta.dirname, '../../../console/dist');

const PAGE = 'index.html';
/** Files have the hash of their content in their names. */
const ASSET_SECONDS = 365 * 24 * 60 * 60;

/** Looked for at most this often, ms: a page is asked for seldom, and its files many at once. */
const LOOK_MS = 1_000;

/**
 * The console of a folder, as it lies there when it is asked for: a server that stands before it is built, or while it is built anew, need not
 * start again. A tab that asks for a file of the build before loads the page again.
 */
export function consolePart(folder: string, clock: Pick<Clock, 'monotonic'>): ServerPart {
  let built: { console: BuiltConsole; madeAt: number } | null = null;
  let lookedAt = -Infinity;
  const read = async () => {
    if (built !== null && clock.monotonic() - lookedAt < LOOK_MS) return built.console;
    lookedAt = clock.monotonic();
    const madeAt = await madeAtOf(folder);
    if (madeAt === null) return (built = null);
    if (built?.madeAt !== madeAt) built = { console: await readConsole(folder), madeAt };
    return built.console;
  };
  return { mount: consoleFiles(read), lastly: consolePages(read) };
}

/** When its page was written, ms; null when there is none. */
async function madeAtOf(folder: string): Promise<number | null> {
  try {
    return (await stat(join(folder, PAGE))).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

async function readConsole(folder: string): Promise<BuiltConsole> {
  const page = await readFile(join(folder, PAGE), 'utf8');
  return { page, files: sirv(folder, { brotli: true, gzip: true, etag: true, maxAge: ASSET_SECONDS, immutable: true }) };
}
