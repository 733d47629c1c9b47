import { type AsyncApiDocument, BUS_ABOUT, schemesOf } from '#protocol/asyncapi.ts';
import type { BusMessageContract, BusOperation } from '#protocol/bus-operation.ts';
import { BUS_OPERATIONS } from '#protocol/operations.ts';
import { schemaRows, schemaType } from './schema-rows.ts';

/** Escapes text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}

/** JSON, indented by two spaces and escaped for `<pre>`. */
function jsonHtml(value: unknown): string {
  return escapeHtml(JSON.stringify(value, null, 2));
}

/** Style of the bus page, for light and dark mode, phones and print. */
const NATS_STYLE = `:root{color-scheme:light dark;--line:#8883;--soft:#8881;--dim:light-dark(#666,#999);--link:light-dark(#0b57d0,#8ab4f8)}
body{font:15px/1.6 system-ui,sans-serif;margin:0 auto;max-width:1060px;padding:0 20px 80px}a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
.top{padding:12px 0;border-bottom:1px solid var(--line)}.top>*{margin-right:20px}.toc{display:grid;grid-template-columns:repeat(auto-fill,minmax(24em,1fr));gap:2px 20px;margin:20px 0;padding:14px 18px;background:var(--soft);border-radius:8px}
h1{margin:24px 0 8px}h1 small{font-size:15px;color:var(--dim)}h2{margin:44px 0 10px}h3{margin:26px 0 6px;font-size:16px}
:lang(en){color:var(--dim)}code,pre{font:13px/1.5 ui-monospace,monospace}pre{background:var(--soft);padding:12px;overflow:auto;border-radius:6px;margin:8px 0}
details{border:1px solid var(--line);border-radius:6px;margin:6px 0}summary{padding:7px 12px;cursor:pointer}summary:hover{background:var(--soft)}
summary code{font-weight:600}summary>span{margin-left:10px}summary>.tag{float:right;margin:2px 0 0 6px}details>section{padding:2px 16px 14px;border-top:1px solid var(--line)}
.tag{font-size:12px;line-height:18px;padding:1px 8px;border-radius:10px;background:#8882;margin-right:6px;white-space:nowrap}
table{border-collapse:collapse;width:100%;margin:8px 0}th,td{text-align:left;padding:5px 8px;border-bottom:1px solid var(--line);vertical-align:top}th{font-weight:600;color:var(--dim)}
td p{margin:0}td>details{margin:6px 0}p{margin:8px 0}
@media(max-width:640px){summary>.tag{float:none}summary code{overflow-wrap:anywhere}.toc{display:block}.toc>a{display:block}table{display:block;overflow-x:auto}}`;

const CARRIERS = { stream: 'JetStream', request: '请求 / 应答', core: '只发一次' } as const;
const ACTIONS = { send: '服务器发出', receive: '服务器接收' } as const;

/** Operations are grouped by the other party, which is what a reader looks for. */
const GROUPS = [
  { id: 'runtime', peer: 'runtime', title: '话术引擎', en: 'Call-flow runtimes' },
  { id: 'clients', peer: 'client', title: '其他客户端', en: 'Other clients' },
  { id: 'servers', peer: 'server', title: '服务器实例之间', en: 'Between instances of the server' },
] as const;

const SECTIONS = [
  ['access', '接入与凭据', 'Getting in'],
  ['rules', '顺序、幂等、重试与超时', 'Order, idempotency, retries, time-outs'],
  ...GROUPS.map(({ id, title, en }) => [id, title, en] as const),
  ['errors', '错误代码', 'Error codes'],
  ['schemas', '数据结构', 'Schemas'],
] as const;

/**
 * The contract of the bus as one page without scripts, in collapsible sections: rules for all messages, operations, error codes, schemas.
 *
 * Why: AsyncAPI's own component has 3 MB of script that needs `unsafe-eval`, and no place for the rules and error codes
 */
export function natsPage(document: AsyncApiDocument): string {
  const { title, version } = document.info;
  const { newest } = document['x-runtime-contract'];
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${NATS_STYLE}</style>
</head>
<body>
<nav class="top"><a href="../docs">REST 接口</a><strong>消息总线（NATS）</strong><a href="../asyncapi.json">asyncapi.json</a><a href="../openapi.json">openapi.json</a></nav>
<h1>${escapeHtml(title)} <small>${escapeHtml(version)} · 契约版本 ${newest}</small></h1>
${bilingual(BUS_ABOUT)}
<nav class="toc">${SECTIONS.map(([id, zh, en]) => `<a href="#${id}">${zh} ${english(en)}</a>`).join('')}</nav>
${[accessSection(document), rulesSection(document), ...GROUPS.map(group => groupSection(group)), errorsSection(document), schemasSection(document)].join('\n')}
</body>
</html>
`;
}

function heading(id: (typeof SECTIONS)[number][0]): string {
  const [, zh, en] = SECTIONS.find(section => section[0] === id) ?? ['', '', ''];
  return `<h2 id="${id}">${zh} ${english(en)}</h2>`;
}

function english(text: string): string {
  return `<span lang="en">${escapeHtml(text)}</span>`;
}

function bilingual({ zh, en }: { zh: string; en: string }): string {
  return `<p>${escapeHtml(zh)}</p><p lang="en">${escapeHtml(en)}</p>`;
}

/** Splits a text that holds both languages: Chinese, an empty line, English. */
function paragraphs(text: unknown): string {
  const [zh = '', en = ''] = String(text).split('\n\n', 2);
  return bilingual({ zh, en });
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: string) => `<tr>${cells.map(cell => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${line(head, 'th')}</thead><tbody>${rows.map(cells => line(cells, 'td')).join('\n')}</tbody></table>`;
}

function code(text: unknown): string {
  return `<code>${escapeHtml(String(text))}</code>`;
}

function folded(summary: string, id: string, content: string): string {
  // The anchor lies inside the element, so that a link to it expands the section.
  return `<details><summary>${summary}</summary>\n<section id="${id}">${content}</section></details>`;
}

function accessSection({ servers, components: { securitySchemes } }: AsyncApiDocument): string {
  const places = Object.values(servers).map(({ protocol, host, description }) => [
    code(`${String(protocol)}://${String(host)}`),
    paragraphs(description),
  ]);
  const schemes = Object.entries(securitySchemes).map(([name, { type, description, 'x-permissions': granted }]) => [
    code(name),
    code(type),
    `${paragraphs(description)}${granted === undefined ? '' : folded('权限 <span lang="en">Permissions</span>', `permissions-${name}`, `<pre>${jsonHtml(granted)}</pre>`)}`,
  ]);
  return `${heading('access')}
${table(['地址', '说明'], places)}
${table(['凭据', '种类', '说明'], schemes)}
${bilingual(MEDIA)}<p>${schemaLink('CellMedia')}</p>`;
}

const MEDIA = {
  zh: '媒体：start 的 media 是客户所在节点的配置 cells[].media，原样给出；通道的 uuid 即 requestId。',
  en: 'Media: media in start is what the operator wrote at cells[].media of the customer’s switch, as it is. The channel’s uuid is the requestId.',
};

function rulesSection(document: AsyncApiDocument): string {
  const rows = document['x-delivery-rules'].map(({ topic, zh, en }) => [
    `${escapeHtml(topic.zh)}<br>${english(topic.en)}`,
    bilingual({ zh, en }),
  ]);
  return `${heading('rules')}\n${table(['事项', '约定'], rows)}`;
}

function errorsSection(document: AsyncApiDocument): string {
  const rows = document['x-error-codes'].map(each => [code(each.code), each.retryable ? '是' : '', bilingual(each)]);
  return `${heading('errors')}\n${table(['代码', '可重试', '含义'], rows)}`;
}

function groupSection({ id, peer }: (typeof GROUPS)[number]): string {
  return `${heading(id)}\n${BUS_OPERATIONS.filter(operation => operation.peer === peer)
    .map(operationDetails)
    .join('\n')}`;
}

function operationDetails(operation: BusOperation): string {
  const { id, address, action, carrier, queue, summary, detail, en, message, reply } = operation;
  const tags = [ACTIONS[action], CARRIERS[carrier]].map(tag => `<span class="tag">${tag}</span>`).join('');
  const needs = schemesOf(operation).map(code).join(' 或 ');
  const content = `${bilingual({ zh: detail, en: en.detail })}
<p>凭据 ${needs}${queue === undefined ? '' : `　队列组 ${code(queue)}`}</p>
${messageBlock('消息', message)}${reply ? messageBlock('应答', reply) : ''}`;
  return folded(`${tags}${code(address)}<span>${escapeHtml(summary)}</span> <span lang="en">${escapeHtml(en.summary)}</span>`, id, content);
}

function messageBlock(label: string, { name, example }: BusMessageContract): string {
  return `<p>${label} ${schemaLink(name)}</p><pre>${jsonHtml(example)}</pre>`;
}

function schemaLink(name: string): string {
  return `<a href="#schema-${name}">${code(name)}</a>`;
}

function schemasSection({ components: { schemas } }: AsyncApiDocument): string {
  const named = Object.entries(schemas).filter(([name]) => name !== 'JsonValue');
  const names = new Set(named.map(([name]) => name));
  return `${heading('schemas')}\n${named.map(([name, schema]) => schemaDetails(name, schema, names)).join('\n')}`;
}

function schemaDetails(name: string, schema: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): string {
  const { description } = schema;
  const rows = schemaRows(schema).map(row => [
    code(row.path),
    linkedType(row.type, names),
    row.required ? '是' : '',
    escapeHtml(row.description),
  ]);
  const shape = rows.length === 0 ? `<p>${linkedType(schemaType(schema), names)}</p>` : table(['成员', '类型', '必填', '说明'], rows);
  return folded(`${code(name)}<span>${escapeHtml(typeof description === 'string' ? description : '')}</span>`, `schema-${name}`, shape);
}

/** A type in which each name of a schema links to that schema. */
function linkedType(type: string, names: ReadonlySet<string>): string {
  const linked = escapeHtml(type).replaceAll(/[A-Z]\w+/g, word => (names.has(word) ? `<a href="#schema-${word}">${word}</a>` : word));
  return `<code>${linked}</code>`;
}
