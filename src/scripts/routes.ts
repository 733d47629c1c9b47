import { issue } from '#kernel/problem.ts';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { boundedJson, flag, optionalText, requiredText, rowId, stamps } from '#kernel/fields.ts';
import { ANSWERED, handler, rawHandler, type RestHandler, type RouteHandler } from '#platform/http/handler.ts';
import { idParam, integerText, pageOf, pageSearchQuery, route } from '#platform/http/route.ts';
import { readPage } from '#platform/postgres/listing.ts';
import { capabilities } from '#protocol/nlu-answers.ts';
import { NLU_LIMITS } from '#protocol/nlu.ts';
import { MAX_RESULT_RULES, MAX_SCRIPT_NODES, type ScriptCondition } from '#protocol/script.ts';
import { getNluCapabilities } from './nlu-client.ts';
import { deleteScript, getRuntimeScript, saveScript, scriptList } from './script-store.ts';
import type { ScriptVersion } from './script.ts';
import type { App } from '#app/app.ts';

/** Source: OCS 4.1 */
export const nluCapabilitiesRoute = route('GET /api/nlu/capabilities', 'session', 'NLU 服务能力列表', { data: capabilities });

/** Source: OCS 4.1 */
export function nluHandlers(app: App): RestHandler[] {
  return [handler(nluCapabilitiesRoute, () => getNluCapabilities(app))];
}

const MAX_KEY_LENGTH = 64;
const MAX_NAME_LENGTH = 128;
const MAX_DESCRIPTION_LENGTH = 2_000;
const MAX_PHRASE_LENGTH = 4_000;
/** Largest JSON of one node's configuration, one default value or one condition, in characters. */
const MAX_CONFIG_LENGTH = 65_536;
/** Longest utterance by which a script is tested. */
const MAX_UTTERANCE_LENGTH = 500;
const MAX_VARIABLES = 500;
const MAX_PHRASES = 2_000;
/** Most branches and fields in one NLU request (D13.4). */
const MAX_NLU_ITEMS = 64;

const key = z.string().trim().min(1).max(MAX_KEY_LENGTH);

const node = z.object({
  id: key,
  type: z.string().max(MAX_KEY_LENGTH),
  name: z.string().max(MAX_NAME_LENGTH).optional().default(''),
  config: boundedJson(z.record(z.string(), z.json()), MAX_CONFIG_LENGTH).optional().default({}),
  /** Id of the next node, or ids by branch key with a `default`; null or absent at the end of a path. */
  next: z
    .union([z.string().max(MAX_KEY_LENGTH), z.record(key, z.string().max(MAX_KEY_LENGTH))])
    .nullable()
    .optional()
    .default(null),
});

const variable = z.object({
  key,
  label: z.string().max(MAX_NAME_LENGTH).optional().default(''),
  defaultValue: boundedJson(z.json(), MAX_CONFIG_LENGTH).optional().default(null),
});

const phrase = z.object({ key, text: z.string().max(MAX_PHRASE_LENGTH) });

/** What customers have said who meant a branch; the same text counts once. Source: D13.9 */
const examples = z
  .array(z.string().trim().min(1).max(NLU_LIMITS.maxExampleChars))
  .max(NLU_LIMITS.maxExamples)
  .transform(texts => [...new Set(texts)]);

const branch = z.object({ key, desc: z.string().max(MAX_NAME_LENGTH * 4), examples: examples.optional() });

const nlu = z.object({
  profile: z.string().max(MAX_KEY_LENGTH).nullable().optional().default(null),
  branches: unique(z.array(branch).max(MAX_NLU_ITEMS))
    .superRefine((branches, context) => {
      const together = branches.reduce((sum, { examples: given = [] }) => sum + given.length, 0);
      if (together <= NLU_LIMITS.maxExamplesTogether) return;
      context.addIssue({ code: 'custom', path: [], message: issue('examplesOver', { max: NLU_LIMITS.maxExamplesTogether }) });
    })
    .optional()
    .default([]),
  fields: unique(z.array(z.object({ key, label: z.string().max(MAX_NAME_LENGTH), type: key })).max(MAX_NLU_ITEMS))
    .optional()
    .default([]),
});

/** Accepts any value: `rules/scripts` parses conditions and names their faults. */
const condition = boundedJson(
  z.custom<ScriptCondition | null>(() => true).meta({ override: { type: 'object' }, description: 'rules/scripts/condition.ts' }),
  MAX_CONFIG_LENGTH,
);

const resultRule = z.object({
  when: condition.optional().default(null),
  classification: z.string().max(MAX_NAME_LENGTH).nullable().optional().default(null),
  intent: z.string().max(MAX_NAME_LENGTH).nullable().optional().default(null),
});

const graph = {
  entryNodeId: key,
  nodes: z.array(node).min(1).max(MAX_SCRIPT_NODES),
  variables: unique(z.array(variable).max(MAX_VARIABLES)).optional().default([]),
  phrases: unique(z.array(phrase).max(MAX_PHRASES)).optional().default([]),
  nlu: nlu.optional().default({ profile: null, branches: [], fields: [] }),
  resultRules: z.array(resultRule).max(MAX_RESULT_RULES).optional().default([]),
};

/** Source: D11 */
export const scriptBody = z.object({
  id: rowId.nullish(),
  name: requiredText(MAX_NAME_LENGTH),
  businessCode: requiredText(MAX_KEY_LENGTH),
  description: optionalText(MAX_DESCRIPTION_LENGTH),
  isEnabled: flag.optional().default(true),
  ...graph,
});

/** The graph of a draft, with the revision that an editor has shown. */
export const draftBody = z.object({ revision: z.int().min(0), ...graph });

export const utteranceBody = z.object({ nodeId: key, text: requiredText(MAX_UTTERANCE_LENGTH), expected: key });

/** A script with the content of its current version. */
const scriptRow = z
  .object({
    id: rowId,
    name: z.string(),
    businessCode: z.string(),
    description: z.string(),
    isEnabled: flag,
    version: z.int().positive(),
    hash: z.string(),
    entryNodeId: z.string(),
    nodes: z.array(z.json()),
    variables: z.array(z.json()),
    phrases: z.array(z.json()),
    nlu: z.json(),
    resultRules: z.array(z.json()),
    ...stamps,
  })
  .meta({ id: 'Script' });

export const listScriptsRoute = route('GET /api/v1/scripts', 'session', '话术脚本列表', {
  query: pageSearchQuery.extend({ businessCode: z.string().max(MAX_KEY_LENGTH).optional() }),
  data: pageOf(scriptRow),
});

export const saveScriptRoute = route('POST /api/v1/scripts', 'session', '新建话术脚本，或保存为新版本', {
  body: scriptBody,
  data: z.object({ script: scriptRow }),
});

export const deleteScriptRoute = route('DELETE /api/v1/scripts/:id', 'session', '删除话术脚本；历史版本仍可引用', {
  params: idParam,
  data: z.object({ id: rowId }),
});

/**
 * Runtime JSON of a script; `version` selects the one that an attempt is pinned to.
 *
 * Source: OCS 4.3, D5.7, D11
 */
export const scriptRuntimeRoute = route('GET /api/v1/scripts/:id/runtime', 'internal', '脚本的运行时 JSON', {
  params: idParam,
  query: z.object({ version: integerText({ min: 1 }).optional() }),
  also: { 304: 'If-None-Match 与当前 ETag 相同' },
  data: z.object({
    id: rowId,
    version: z.int().positive(),
    hash: z.string(),
    entryNodeId: z.string(),
    nodes: z.record(z.string(), z.json()),
    variables: z.record(z.string(), z.json()),
    phrases: z.record(z.string(), z.string()),
    nlu: z.json(),
    resultRules: z.array(z.json()),
  }),
});

/** Refuses a list with a repeated key; the fault names the second item. */
function unique<Item extends z.ZodType<{ key: string }>>(list: z.ZodArray<Item>) {
  return list.superRefine((items, context) => {
    const seen = new Set<string>();
    for (const [index, item] of items.entries()) {
      if (seen.has(item.key)) context.addIssue({ code: 'custom', path: [index, 'key'], message: issue('sameTwice', { value: item.key }) });
      seen.add(item.key);
    }
  });
}

/** OCS 4.3: scripts. */
export function scriptHandlers(app: App): RouteHandler[] {
  return [
    handler(listScriptsRoute, async ({ query }) => {
      const page = await readPage(app, scriptList, { ...query, businessCode: query.businessCode ?? null });
      return { ...page, rows: page.rows.map(presentScript) };
    }),
    handler(saveScriptRoute, async ({ body, caller }) => ({
      script: presentScript(await saveScript(app, caller, { ...body, id: body.id ?? null })),
    })),
    handler(deleteScriptRoute, async ({ params, caller }) => {
      await deleteScript(app, caller, params.id);
      return { id: params.id };
    }),
    rawHandler(scriptRuntimeRoute, async ({ params, query, request, response }) => {
      const { hash, runtime } = await getRuntimeScript(app, params.id, query.version ?? null);
      const etag = `"${hash}"`;
      response.setHeader('ETag', etag);
      response.setHeader('Cache-Control', 'no-cache');
      if (!isUnchanged(request, etag)) return scriptRuntimeRoute.data.parse(runtime);
      response.writeHead(304).end();
      return ANSWERED;
    }),
  ];
}

/** Weak comparison, as If-None-Match requires (RFC 9110 §13.1.2). */
function isUnchanged(request: IncomingMessage, etag: string): boolean {
  const sent = request.headers['if-none-match'];
  if (sent === undefined) return false;
  const tags = sent.split(',').map(tag => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

function presentScript({ hash, body, ...script }: ScriptVersion): z.output<typeof scriptRow> {
  return { ...(body as z.output<typeof scriptRow>), ...script, version: script.currentVersion, hash };
}
