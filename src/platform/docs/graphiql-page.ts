import { css, editorWorkerService, graphqlWorker, js, jsonWorker } from '@graphql-yoga/render-graphiql/graphiql';

/** Files of the GraphiQL package by the name under which the page loads them; workers by the editor's own label. */
export const GRAPHIQL_ASSETS: ReadonlyMap<string, { type: string; body: string }> = new Map([
  ['graphiql.css', { type: 'text/css', body: css }],
  ['graphiql.js', { type: 'text/javascript', body: js }],
  ['editorWorkerService.js', { type: 'text/javascript', body: editorWorkerService }],
  ['graphql.js', { type: 'text/javascript', body: graphqlWorker }],
  ['json.js', { type: 'text/javascript', body: jsonWorker }],
]);

const STYLE = `body{margin:0;height:100vh;display:flex;flex-direction:column;font:14px/1.6 system-ui,sans-serif}
nav{display:flex;flex-wrap:wrap;gap:4px 20px;align-items:center;padding:8px 20px;border-bottom:1px solid #ddd}form{margin-left:auto}#graphiql{flex:1;min-height:0}#graphiql .graphiql-container{height:100%}`;

/** GraphiQL with a login, for queries, completion and subscriptions. Addresses are relative, so that a proxy may add a path prefix. */
export const GRAPHIQL_PAGE = `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Callout GraphQL</title>
<link rel="icon" href="docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="docs/assets/graphiql/graphiql.css">
<style>${STYLE}</style>
</head>
<body>
<nav>
<strong>GraphQL</strong><a href="docs">REST 接口</a><a href="docs/nats">消息总线（NATS）</a>
<form id="login"><input name="username" autocomplete="username" placeholder="用户名" required> <input name="password" type="password" autocomplete="current-password" placeholder="密码" required> <button>登录</button> <output></output></form>
<form id="logout" hidden><output></output> <button>退出</button></form>
</nav>
<div id="graphiql"></div>
<script src="docs/assets/graphiql/graphiql.js"></script>
<script src="docs/assets/graphiql/open.js"></script>
</body>
</html>
`;

/**
 * Start script, served as a file because the page allows no inline scripts.
 *
 * Why: the session is the console's: its token is in a cookie, and its proof is sent over HTTP and over the socket. GraphiQL stores no headers, and puts no query into the
 *      address, where a reload would send it
 */
export const GRAPHIQL_START = `const KEY = 'callout.session';
const assets = new URL('docs/assets/graphiql/', location.href);
const session = JSON.parse(localStorage.getItem(KEY) ?? 'null');
const authorization = () => (session ? { 'X-Callout-Session': session.proof } : {});
const post = (path, headers, body) => fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) });

const login = document.getElementById('login');
const logout = document.getElementById('logout');
login.hidden = session !== null;
logout.hidden = session === null;
logout.querySelector('output').textContent = session?.name ?? '';
login.addEventListener('submit', async event => {
  event.preventDefault();
  const answer = await post('api/auth/login', { 'X-Callout-Session': 'cookie' }, Object.fromEntries(new FormData(login)));
  const { code, msg, data } = await answer.json();
  const proof = answer.headers.get('X-Callout-Session');
  if (!data?.user || !proof) return void (login.querySelector('output').textContent = msg ?? code);
  localStorage.setItem(KEY, JSON.stringify({ proof, name: data.user.displayName || data.user.username }));
  location.reload();
});
logout.addEventListener('submit', async event => {
  event.preventDefault();
  localStorage.removeItem(KEY);
  await post('api/auth/logout', authorization(), {}).catch(() => undefined);
  location.reload();
});

self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => new URL(label + '.js', assets).href };
YogaGraphiQL.renderYogaGraphiQL(document.getElementById('graphiql'), {
  title: 'Callout',
  logo: ' ',
  query: '{\\n  me { user { displayName } permissions }\\n}\\n',
  subscriptionsProtocol: 'WS',
  additionalHeaders: authorization,
  connectionParams: () => ({ session: session?.proof }),
  shouldPersistHeaders: false,
  onEditQuery: () => undefined,
});
`;
