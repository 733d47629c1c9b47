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
