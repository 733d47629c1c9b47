import { readFile, stat } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import express, { type RequestHandler, type Response } from 'express';
import type { Clock } from '#kernel/clock.ts';
import { type BuiltConsole, consoleFiles, consolePages } from '#edges/console/console-pages.ts';
import type { ServerPart } from './context.ts';

/** Where `npm start` and the image put the built console. */
export const CONSOLE_FOLDER = resolve(import.meta.dirname, '../../../console/dist');

const PAGE = 'index.html';
/** Of files that have the hash of their content in their names. */
const KEPT = 'public, max-age=31536000, immutable';
/** Of other files: the browser keeps them and asks each time whether they are still the same. */
const ASKED_FOR = 'no-cache';
const HASHED_FOLDER = 'assets';

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
  return { page: await readFile(join(folder, PAGE), 'utf8'), files: serveFiles(folder) };
}

/** What lies beside a text when it was compressed, by how it is called in a request; the smallest first. */
const ENDINGS: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz' };

/** The files of a folder as small as the browser takes them. One that was taken away meanwhile is simply not there. */
function serveFiles(folder: string): RequestHandler {
  const hashed = join(folder, HASHED_FOLDER) + sep;
  const setHeaders = (response: Response, path: string) => {
    // Over the `no-store` that every answer begins with, which the library would let stand.
    response.setHeader('Cache-Control', path.startsWith(hashed) ? KEPT : ASKED_FOR);
    nameEncoding(response, path);
  };
  const serve = express.static(folder, { index: false, redirect: false, cacheControl: false, setHeaders });
  return (request, response, next) => {
    const asked = request.url;
    const [, ending] = Object.entries(ENDINGS).find(([encoding]) => request.acceptsEncodings(encoding)) ?? [];
    const sendPlain = () => {
      request.url = asked;
      serve(request, response, next);
    };
    response.vary('Accept-Encoding');
    if (ending === undefined) return sendPlain();
    request.url = asked.replace(/(?=\?|$)/, ending);
    serve(request, response, error => (error ? next(error) : sendPlain()));
  };
}

function nameEncoding(response: Response, path: string): void {
  const encoding = Object.keys(ENDINGS).find(name => ENDINGS[name] === extname(path));
  if (encoding === undefined) return;
  response.setHeader('Content-Encoding', encoding);
  response.type(extname(path.slice(0, -extname(path).length)));
}
