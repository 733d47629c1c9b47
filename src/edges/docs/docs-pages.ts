import type { Express, Response } from 'express';
import type { AsyncApiDocument } from '#contract/nats/asyncapi.ts';
import { natsPage } from './nats-page.ts';
import type { OpenApiDocument } from './openapi.ts';
import { SWAGGER_ASSETS, SWAGGER_PAGE, SWAGGER_START } from './swagger-page.ts';

export interface DocsPagesDeps {
  /** Built when they are first asked for: a server starts without them. */
  openApi(): OpenApiDocument;
  asyncApi(): AsyncApiDocument;
  /** Folder of swagger-ui-dist. */
  assetFolder: string;
}

/** Everything comes from this server; Swagger UI writes styles into its elements. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const ASSET_CACHE = 'public, max-age=86400';

/** `/docs` (REST), `/docs/nats`, and the documents that they show. Public: they tell what the code does, not what it holds. */
export function docsPages(deps: DocsPagesDeps): (app: Express) => void {
  const openApi = once(() => JSON.stringify(deps.openApi()));
  const asyncApi = once(() => JSON.stringify(deps.asyncApi()));
  const nats = once(() => natsPage(deps.asyncApi()));
  return app => {
    app.get('/openapi.json', (_request, response) => send(response, 'application/json', openApi()));
    app.get('/asyncapi.json', (_request, response) => send(response, 'application/json', asyncApi()));
    // The page's addresses are relative to `/docs` without a slash at its end.
    app.get('/docs/', (request, response, next) => (request.path.endsWith('/') ? response.redirect(308, '../docs') : next()));
    app.get('/docs', (_request, response) => send(response, 'text/html', SWAGGER_PAGE));
    app.get('/docs/nats', (_request, response) => send(response, 'text/html', nats()));
    app.get('/docs/assets/open.js', (_request, response) => send(response, 'text/javascript', SWAGGER_START));
    for (const name of SWAGGER_ASSETS) {
      app.get(`/docs/assets/${name}`, (_request, response) => {
        response.setHeader('Cache-Control', ASSET_CACHE);
        response.sendFile(name, { root: deps.assetFolder, cacheControl: false });
      });
    }
  };
}

function send(response: Response, type: string, body: string): void {
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  response.end(body);
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
