import type { Express, Request, Response } from 'express';
import type { DocsContents } from './docs-contents.ts';
import { GRAPHQL_SCRIPT } from './graphql-script.ts';
import { SWAGGER_ASSETS, SWAGGER_PAGE, SWAGGER_START } from './swagger-page.ts';

export interface DocsPagesDeps {
  /** Loaded when somebody first asks: a server starts without the generators. */
  loadContents(): Promise<DocsContents>;
  /** Whether /graphql shows its schema to whoever opens it in a browser. */
  showsSchema: boolean;
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

/** `/` for browsers, `/docs` (REST), `/docs/nats`, `/graphql` for browsers, and the documents that they show. Public: they tell what the code does, not what it holds. */
export function docsPages(deps: DocsPagesDeps): (app: Express) => void {
  let loading: Promise<DocsContents> | undefined;
  const contents = () => (loading ??= deps.loadContents());
  return app => {
    app.get('/openapi.json', async (_request, response) => send(response, 'application/json', (await contents()).openApi()));
    app.get('/asyncapi.json', async (_request, response) => send(response, 'application/json', (await contents()).asyncApi()));
    // The page's addresses are relative to `/docs` without a slash at its end.
    app.get('/docs/', (request, response, next) => (request.path.endsWith('/') ? response.redirect(308, '../docs') : next()));
    // Whoever opens the bare address in a browser; relative, because a proxy may serve it under a path.
    app.get('/', (request, response, next) => (isForReading(request) ? response.vary('Accept').redirect(302, 'docs') : next()));
    app.get('/docs', (_request, response) => send(response, 'text/html', SWAGGER_PAGE));
    app.get('/docs/nats', async (_request, response) => send(response, 'text/html', (await contents()).natsPage()));
    app.get('/docs/assets/open.js', (_request, response) => send(response, 'text/javascript', SWAGGER_START));
    app.get('/docs/assets/ask.js', (_request, response) => send(response, 'text/javascript', GRAPHQL_SCRIPT));
    app.get('/graphql', (request, response, next) => {
      if (!deps.showsSchema || !isForReading(request)) return next();
      response.vary('Accept');
      contents().then(made => send(response, 'text/html', made.graphqlPage()), next);
    });
    for (const name of SWAGGER_ASSETS) {
      app.get(`/docs/assets/${name}`, (_request, response) => {
        response.setHeader('Cache-Control', ASSET_CACHE);
        response.sendFile(name, { root: deps.assetFolder, cacheControl: false });
      });
    }
  };
}

/** A page was asked for, and no query. */
function isForReading({ headers, query }: Request): boolean {
  return (headers.accept ?? '').includes('text/html') && Object.keys(query).length === 0;
}

function send(response: Response, type: string, body: string): void {
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  response.end(body);
}
