import type { Express, Request, Response } from 'express';
import type { DocsContents } from './docs-contents.ts';

/**
 * Page of the REST interface. Every address is relative to `/docs`, so that it also works under a path prefix of a proxy.
 *
 * Why:    nothing may be loaded from other servers, as the validator badge of Swagger UI would be
 */
export const SWAGGER_PAGE = `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Callout 接口文档</title>
<link rel="icon" href="docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="docs/assets/swagger-ui.css">
<style>nav{padding:12px 20px;font:14px/1.6 system-ui,sans-serif;border-bottom:1px solid #ddd}nav a{margin-right:20px}</style>
</head>
<body>
<nav><strong>REST 接口</strong>　<a href="docs/nats">消息总线（NATS）</a><a href="graphql">GraphQL</a><a href="openapi.json">openapi.json</a><a href="asyncapi.json">asyncapi.json</a></nav>
<div id="swagger-ui"></div>
<script src="docs/assets/swagger-ui-bundle.js"></script>
<script src="docs/assets/open.js"></script>
</body>
</html>
`;

/** Start script, served as a file because the page allows no inline scripts. */
export const SWAGGER_START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  validatorUrl: null,
  docExpansion: 'none',
  persistAuthorization: false,
});
`;

/** Files of swagger-ui-dist that the page loads; the package's own index page and initializer are not among them. */
export const SWAGGER_ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

export interface DocsPagesOptions {
  /** Called at the first request, so that a server starts without the generators. */
  loadContents(): Promise<DocsContents>;
  /** Called at the first request as well: the module holds some megabytes. */
  loadGraphiql(): Promise<typeof import('./graphiql-page.ts')>;
  /** Whether /graphql shows its schema to any browser. */
  showsSchema: boolean;
  /** Folder of swagger-ui-dist. */
  assetFolder: string;
}

/** Everything is loaded from this server; Swagger UI and GraphiQL need inline styles. */
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

/**
 * Serves `/` to browsers, `/docs` (REST), `/docs/nats`, `/graphql` to browsers, and their documents. Public: they describe code, not data.
 */
export function docsPages(options: DocsPagesOptions): (app: Express) => void {
  let loading: Promise<DocsContents> | undefined;
  const contents = () => (loading ??= options.loadContents());
  return app => {
    app.get('/openapi.json', async (_request, response) => send(response, 'application/json', (await contents()).openApi()));
    app.get('/asyncapi.json', async (_request, response) => send(response, 'application/json', (await contents()).asyncApi()));
    // The page's addresses are relative to `/docs` without a trailing slash.
    app.get('/docs/', (request, response, next) => (request.path.endsWith('/') ? response.redirect(308, '../docs') : next()));
    // The redirect is relative, because a proxy may serve the bare address under a path prefix.
    app.get('/', (request, response, next) => (isForReading(request) ? response.vary('Accept').redirect(302, 'docs') : next()));
    app.get('/docs', (_request, response) => send(response, 'text/html', SWAGGER_PAGE));
    app.get('/docs/nats', async (_request, response) => send(response, 'text/html', (await contents()).natsPage()));
    app.get('/docs/assets/open.js', (_request, response) => send(response, 'text/javascript', SWAGGER_START));
    if (options.showsSchema) mountGraphiql(app, options);
    for (const name of SWAGGER_ASSETS) {
      app.get(`/docs/assets/${name}`, (_request, response) => {
        response.setHeader('Cache-Control', ASSET_CACHE);
        response.sendFile(name, { root: options.assetFolder, cacheControl: false });
      });
    }
  };
}

function mountGraphiql(app: Express, { loadGraphiql }: Pick<DocsPagesOptions, 'loadGraphiql'>): void {
  app.get('/graphql', (request, response, next) => {
    if (!isForReading(request)) return next();
    response.vary('Accept');
    loadGraphiql().then(({ GRAPHIQL_PAGE }) => send(response, 'text/html', GRAPHIQL_PAGE), next);
  });
  app.get('/docs/assets/graphiql/open.js', async (_request, response) =>
    send(response, 'text/javascript', (await loadGraphiql()).GRAPHIQL_START),
  );
  app.get('/docs/assets/graphiql/:name', async ({ params }, response, next) => {
    const asset = (await loadGraphiql()).GRAPHIQL_ASSETS.get(params.name);
    if (!asset) return next();
    response.setHeader('Cache-Control', ASSET_CACHE);
    send(response, asset.type, asset.body);
  });
}

/** Whether a browser asks for a page, rather than for the result of a query. */
function isForReading({ headers, query }: Request): boolean {
  return (headers.accept ?? '').includes('text/html') && Object.keys(query).length === 0;
}

function send(response: Response, type: string, body: string): void {
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  response.end(body);
}
