import { readFile, stat } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import express, { type RequestHandler, type Response } from 'express';
import type { Clock } from '#kernel/clock.ts';
import { type BuiltConsole, consoleFiles, consolePages } from './console-pages.ts';
import type { ServerPart } from '#app/context.ts';

/** Folder of the built console, for `npm start` and in the image. */
export const CONSOLE_FOLDER = resolve(import.meta.dirname, '../../console/dist');

const PAGE = 'index.html';
/** For files with a content hash in their name. */
const KEPT = 'public, max-age=31536000, immutable';
/** For all other files: the browser caches them but revalidates each time. */
const ASKED_FOR = 'no-cache';
const HASHED_FOLDER = 'assets';

/** Minimum interval between checks for a new build, ms: a page load requests many files at once. */
const LOOK_MS = 1_000;

/**
 * Serves the console from a folder, as built at the time of the request: a server that starts before the build, or during one, needs no
 * restart. A tab that requests a file of an earlier build reloads the page.
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

/** Modification time of the page, ms; null when there is none. */
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

/** Suffixes of precompressed files by content encoding, the smallest first. */
const ENDINGS: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz' };

/** Serves the files of a folder in the smallest encoding that the browser accepts. A file deleted meanwhile is not found. */
function serveFiles(folder: string): RequestHandler {
  const hashed = join(folder, HASHED_FOLDER) + sep;
  const setHeaders = (response: Response, path: string) => {
    // Replaces the default `no-store` of every response, which the library would keep.
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
