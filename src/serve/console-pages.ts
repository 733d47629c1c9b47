import { randomBytes } from 'node:crypto';
import type { Express, Request, RequestHandler, Response } from 'express';

/** The console as it was built. */
export interface BuiltConsole {
  /** `index.html` with its `<base>`. */
  page: string;
  /** Serves the files of the folder, precompressed; calls `next` when there is no such file. */
  files: RequestHandler;
}

/** Null when no console was built. */
export type ReadConsole = () => Promise<BuiltConsole | null>;

const BASE = '<base href="/" />';
/** Paths of the API, where a browser must not receive a page instead of JSON. */
const ROWS = /^\/api(\/|$)/;

/** Serves `/` to browsers, and the console's files. Public, because each request that the console makes is authenticated itself. */
export function consoleFiles(read: ReadConsole): (app: Express) => void {
  return app => {
    app.get('/', consolePages(read));
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
export function consolePages(read: ReadConsole): RequestHandler {
  return async (request, response, next) => {
    if (request.method !== 'GET' || ROWS.test(request.path) || !isForReading(request)) return next();
    const built = await read();
    return built ? send(request, response, built.page) : next();
  };
}

function isForReading({ headers }: Request): boolean {
  return (headers.accept ?? '').includes('text/html');
}

/** Sets the base relative to the requested address, so that the console also works under a path prefix of a proxy. */
function send({ path }: Request, response: Response, page: string): void {
  const nonce = randomBytes(16).toString('base64');
  const up = '../'.repeat(path.split('/').length - 2) || './';
  response.vary('Accept');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Security-Policy', policy(nonce));
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(page.replace(BASE, `<base href="${up}" /><meta name="style-nonce" content="${nonce}" />`));
}

/** The component library writes its variables into a style element, which carries the nonce; nothing else inline is allowed. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
