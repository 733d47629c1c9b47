import type { AsyncApiDocument } from '#contract/nats/asyncapi.ts';
import type { BusMessageContract, BusOperation } from '#contract/nats/bus-operation.ts';
import { BUS_OPERATIONS } from '#contract/nats/operations.ts';
import { escapeHtml, jsonHtml } from './html.ts';
import { schemaRows } from './schema-rows.ts';

const CARRIERS = { stream: 'JetStream 流 RUNTIME', request: '请求 / 应答', core: '核心 NATS，只发一次' } as const;
const ACTIONS = { send: '服务器发出', receive: '服务器接收' } as const;

const STYLE = `:root{color-scheme:light dark}body{font:15px/1.65 system-ui,sans-serif;margin:0 auto;max-width:1080px;padding:0 20px 80px}
nav{padding:12px 0;border-bottom:1px solid #8884}nav a{margin-right:20px}h2{margin-top:48px}section{border-top:1px solid #8884;padding:20px 0}
code,pre{font:13px/1.5 ui-monospace,monospace}pre{background:#8881;padding:12px;overflow:auto;border-radius:6px}
.address{font-size:15px;font-weight:600;word-break:break-all}.tag{font-size:12px;padding:2px 8px;border-radius:10px;background:#8882;margin-right:6px}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:5px 8px;border-bottom:1px solid #8883;vertical-align:top}td:first-child{white-space:nowrap}`;

/** The contract of the bus as one page without scripts: operations, messages, their members and examples. */
export function natsPage(document: AsyncApiDocument): string {
  const { title, version, description } = document.info;
  return `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<nav><a href="../docs">REST 接口</a><strong>消息总线（NATS）</strong>　<a href="../asyncapi.json">asyncapi.json</a><a href="../openapi.json">openapi.json</a></nav>
<h1>${escapeHtml(title)} <small>${escapeHtml(version)}</small></h1>
<p>${escapeHtml(description)}</p>
<h2>操作</h2>
<table><thead><tr><th>主题</th><th>方向</th><th>用途</th></tr></thead><tbody>
${BUS_OPERATIONS.map(overviewRow).join('\n')}
</tbody></table>
${BUS_OPERATIONS.map(operation => operationSection(operation, document)).join('\n')}
</body>
</html>
`;
}

function overviewRow({ id, address, action, summary }: BusOperation): string {
  return `<tr><td><a href="#${id}"><code>${escapeHtml(address)}</code></a></td><td>${ACTIONS[action]}</td><td>${escapeHtml(summary)}</td></tr>`;
}

function operationSection(operation: BusOperation, document: AsyncApiDocument): string {
  const { id, address, action, carrier, queue, summary, detail, message, reply } = operation;
  const queueTag = queue === undefined ? '' : `<span class="tag">队列组 ${escapeHtml(queue)}</span>`;
  return `<section id="${id}">
<h3>${escapeHtml(summary)}</h3>
<p class="address"><code>${escapeHtml(address)}</code></p>
<p><span class="tag">${ACTIONS[action]}</span><span class="tag">${CARRIERS[carrier]}</span>${queueTag}</p>
<p>${escapeHtml(detail)}</p>
${messageBlock('消息', message, document)}
${reply ? messageBlock('应答', reply, document) : ''}
</section>`;
}

function messageBlock(label: string, { name, example }: BusMessageContract, { components: { schemas } }: AsyncApiDocument): string {
  const schema = schemas[name] ?? {};
  const rows = schemaRows(schema, schemas).map(
    ({ path, type, required, description }) =>
      `<tr><td><code>${escapeHtml(path)}</code></td><td><code>${escapeHtml(type)}</code></td><td>${required ? '是' : ''}</td><td>${escapeHtml(description)}</td></tr>`,
  );
  const table =
    rows.length === 0
      ? '<p>没有成员。</p>'
      : `<table><thead><tr><th>成员</th><th>类型</th><th>必填</th><th>说明</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
  return `<h4>${label} <code>${escapeHtml(name)}</code></h4>
<pre>${jsonHtml(example)}</pre>
<details><summary>成员</summary>${table}</details>
<details><summary>JSON Schema</summary><pre>${jsonHtml(schema)}</pre></details>`;
}
