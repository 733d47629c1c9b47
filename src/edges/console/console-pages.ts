import { randomBytes } from 'node:crypto';
import type { Express, Request, RequestHandler, Response } from 'express';

/** The console as it was built. */
export interface BuiltConsole {
  /** `index.html` with its `<base>`. */
  page: string;
  /** Serves files of the folder, compressed as they lie there; calls on when there is no such file. */
  files: RequestHandler;
}

/** Null: none was built. */
export type ReadConsole = () => Promise<BuiltConsole | null>;

const BASE = '<base href="/" />';
/** Nobody is shown a page instead of the JSON that a row would answer. */
const ROWS = /^\/api(\/|$)/;

/** `/` for browsers, and the files of the console. Public: who is signed in is asked by what it asks for. */
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

/** The console for whatever address a browser opens: which pages there are is known to the console alone. */
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

/** Relative to where the page was asked for, so that it also works below a path of a proxy. */
function send({ path }: Request, response: Response, page: string): void {
  const nonce = randomBytes(16).toString('base64');
  const up = '../'.repeat(path.split('/').length - 2) || './';
  response.vary('Accept');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Security-Policy', policy(nonce));
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(page.replace(BASE, `<base href="${up}" /><meta name="style-nonce" content="${nonce}" />`));
}

/** The component library writes its variables into a style element: it gets the nonce, and nothing else inline runs. */
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
