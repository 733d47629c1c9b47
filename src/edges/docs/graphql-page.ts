import {
  buildSchema,
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';
import { escapeHtml } from './html.ts';

const STYLE = `:root{color-scheme:light dark}body{font:15px/1.65 system-ui,sans-serif;margin:0 auto;max-width:1180px;padding:0 20px 80px}
nav{padding:12px 0;border-bottom:1px solid #8884}nav a{margin-right:20px}section{border-top:1px solid #8884;padding:12px 0}
code,pre,textarea,input{font:13px/1.5 ui-monospace,monospace}pre,textarea{background:#8881;padding:12px;border:0;border-radius:6px;box-sizing:border-box;width:100%}
pre{overflow:auto;max-height:480px}input{width:420px}dt{margin-top:8px}dd{margin-left:20px;color:#888c}.types a{display:inline-block;margin-right:16px}`;

const SAMPLE = `{
  me { user { displayName } permissions }
  campaigns(first: 10) {
    nodes { id name status phase phaseReason progress { total completed fraction } }
    pageInfo { hasNextPage endCursor }
  }
}`;

const ROOTS = ['Query', 'Mutation', 'Subscription'];

/** The façade as one page: a place to ask, and every type with its texts. `texts` are the files of the schema. */
export function graphqlPage(texts: readonly string[]): string {
  const types = Object.values(buildSchema(texts.join('\n')).getTypeMap());
  const own = types.filter(type => !type.name.startsWith('__') && !isSpecifiedScalarType(type));
  const roots = ROOTS.flatMap(name => own.filter(type => type.name === name));
  const others = own.filter(type => !ROOTS.includes(type.name)).sort((a, b) => a.name.localeCompare(b.name));
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Callout GraphQL</title>
<link rel="icon" href="docs/assets/favicon-32x32.png">
<style>${STYLE}</style>
</head>
<body>
<nav><strong>GraphQL</strong>　<a href="docs">REST 接口</a><a href="docs/nats">消息总线（NATS）</a></nav>
<h1>GraphQL</h1>
<p>登录令牌由 <code>POST /api/auth/login</code> 取得，只留在本页。订阅走同一路径的 WebSocket（graphql-transport-ws 协议）。</p>
<form id="ask">
<p><input id="token" type="password" autocomplete="off" placeholder="登录令牌"></p>
<p><textarea id="query" rows="10" spellcheck="false">${escapeHtml(SAMPLE)}</textarea></p>
<p><textarea id="variables" rows="2" spellcheck="false" placeholder="变量（JSON）"></textarea></p>
<p><button>执行（Ctrl+Enter）</button></p>
</form>
<pre id="answer">尚未执行</pre>
<p class="types">${[...roots, ...others].map(typeLink).join('')}</p>
${[...roots, ...others].map(typeSection).join('\n')}
<script src="docs/assets/ask.js"></script>
</body>
</html>
`;
}

function typeLink({ name }: GraphQLNamedType): string {
  return `<a href="#${name}"><code>${name}</code></a> `;
}

function typeSection(type: GraphQLNamedType): string {
  return `<section id="${type.name}">
<h3><code>${type.name}</code></h3>
<p>${escapeHtml(type.description ?? '')}</p>
<dl>${membersOf(type)}</dl>
</section>`;
}

function membersOf(type: GraphQLNamedType): string {
  if (isEnumType(type))
    return type
      .getValues()
      .map(({ name, description }) => entry(name, description))
      .join('');
  if (isUnionType(type))
    return type
      .getTypes()
      .map(member => `<dt>${typeLink(member)}</dt>`)
      .join('');
  if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))
    return Object.values(type.getFields()).map(fieldEntry).join('');
  return '';
}

function fieldEntry(field: GraphQLField<unknown, unknown> | GraphQLInputField): string {
  const args = 'args' in field ? field.args : [];
  const told = args.length === 0 ? '' : `(${args.map(argument => `${argument.name}: ${typeRef(argument)}`).join(', ')})`;
  const texts = args.map(({ name, description }) => `<br><code>${name}</code> ${escapeHtml(description ?? '')}`);
  return `<dt><code>${field.name}${told}: ${typeRef(field)}</code></dt><dd>${escapeHtml(field.description ?? '')}${texts.join('')}</dd>`;
}

function typeRef({ type }: Pick<GraphQLArgument, 'type'> | Pick<GraphQLField<unknown, unknown>, 'type'>): string {
  const named = getNamedType(type);
  if (isSpecifiedScalarType(named)) return String(type);
  return String(type).replace(named.name, `<a href="#${named.name}">${named.name}</a>`);
}

function entry(name: string, description: string | null | undefined): string {
  return `<dt><code>${name}</code></dt><dd>${escapeHtml(description ?? '')}</dd>`;
}
