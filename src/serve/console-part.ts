import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { ServerPart } from '#app/context.ts';
import type { Clock } from '#kernel/clock.ts';
import { membersOf } from '#kernel/typed.ts';

/** The console as it was built. */
export interface BuiltConsole {
  /** `index.html` with its `<base>`. */
  page: string;
  /** Serves the files of the folder, precompressed; calls `next` when there is no such file. */
  files: RequestHandler;
}

/** Null when no console was built. */
type ReadConsole = () => Promise<BuiltConsole | null>;

const BASE = '<base href="/" />';
/** Paths of the API, where a browser must not receive a page instead of JSON. */
const ROWS = /^\/api(\/|$)/;

/** Serves `/` to browsers, and the console's files. Public, because each request that the console makes is authenticated itself. */
export function consoleFiles(read: ReadConsole, phoneServers: readonly string[]): (app: Express) => void {
  return app => {
    app.get('/', consolePages(read, phoneServers));
    app.get(['/assets/*name', '/icon.svg'], files(read));
  };
}

function files(read: ReadConsole): RequestHandler {
  return async (request, response, next) => {
    const built = await read();
    return built ? built.files(request, response, next) : next();
  };
}

/** Serves the console at every address that a browser opens: only the console knows which pages exist. */
export function consolePages(read: ReadConsole, phoneServers: readonly string[]): RequestHandler {
  return async (request, response, next) => {
    if (request.method !== 'GET' || ROWS.test(request.path) || !isForReading(request)) return next();
    const built = await read();
    return built ? send(request, response, { page: built.page, phoneServers }) : next();
  };
}

function isForReading({ headers }: Request): boolean {
  return (headers.accept ?? '').includes('text/html');
}

/** Sets the base relative to the requested address, so that the console also works under a path prefix of a proxy. */
function send({ path }: Request, response: Response, { page, phoneServers }: { page: string; phoneServers: readonly string[] }): void {
  const nonce = randomBytes(16).toString('base64');
  const up = '../'.repeat(path.split('/').length - 2) || './';
  response.vary('Accept');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Security-Policy', policy(nonce, phoneServers));
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(page.replace(BASE, `<base href="${up}" /><meta name="style-nonce" content="${nonce}" />`));
}

/**
 * The component library writes its variables into a style element, which carries the nonce; nothing else inline is allowed. Browsers'
 * phones connect to the WebSocket addresses of the switch.
 */
function policy(nonce: string, phoneServers: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self' blob:",
    ["connect-src 'self'", ...new Set(phoneServers.map(server => new URL(server).origin))].join(' '),
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

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
export function consolePart(folder: string, clock: Pick<Clock, 'monotonic'>, phoneServers: readonly string[] = []): ServerPart {
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
  return { mount: consoleFiles(read, phoneServers), lastly: consolePages(read, phoneServers) };
}

/** Modification time of the page, ms; null when there is none. */
async function madeAtOf(folder: string): Promise<number | null> {
  try {
    return (await stat(join(folder, PAGE))).mtimeMs;
  } catch (error) {
    if (membersOf(error)['code'] !== 'ENOENT') throw error;
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
