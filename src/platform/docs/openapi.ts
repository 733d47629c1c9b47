import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { envelopeOf, failedEnvelopeOf, failureEnvelope, type RouteContract } from '../http/route.ts';

export type OpenApiDocument = ReturnType<typeof createDocument>;

const ABOUT =
  '除事件流与 /metrics 外，应答均为 { code, data, msg }，成功时 code 为 0000。失败时 code 为 HTTP 状态码，msg 为中文说明。消息总线的契约见 /docs/nats。';

const failure = failureEnvelope.meta({ id: 'Failure', description: '失败应答' });

/** Chinese section title on the page, by resource of the path. */
const RESOURCES: Readonly<Record<string, string>> = {
  auth: '登录',
  roles: '登录',
  users: '用户',
  businesses: '业务与脚本',
  scripts: '业务与脚本',
  lines: '线路',
  campaigns: '活动与联系人',
  contacts: '活动与联系人',
  callbacks: '活动与联系人',
  batches: '通话记录',
  'call-attempts': '通话记录',
  transcripts: '通话转写',
  recordings: '通话记录',
  'recording-health': '通话记录',
  exports: '通话记录',
  'export-columns': '通话记录',
  'export-files': '通话记录',
  reports: '统计报表',
  calls: '通话记录',
  'disposition-counts': '通话记录',
  'result-fields': '通话记录',
  'follow-up-lists': '活动与联系人',
  'call-results': '话术引擎上报',
  'call-progress': '话术引擎上报',
  policies: '外呼策略',
  'outcome-rules': '外呼策略',
  holidays: '外呼策略',
  'rule-packs': '外呼策略',
  dnc: '勿扰',
  consents: '勿扰',
  'live-calls': '实时监听',
  'live-monitor': '实时监听',
  agents: '坐席与软电话',
  'agent-groups': '坐席与软电话',
  'break-reasons': '坐席与软电话',
  'agent-state-seconds': '坐席与软电话',
  'agent-board': '坐席与软电话',
  'softphone-sessions': '坐席与软电话',
  'softphone-calls': '坐席与软电话',
  transfers: '转人工会议',
  'conference-sessions': '转人工会议',
  runtime: '运行状况',
  overview: '运行状况',
  health: '运行状况',
  metrics: '运行状况',
  media: '媒体与 NLU',
  nlu: '媒体与 NLU',
  'audit-logs': '审计',
  jobs: '后台任务',
  lists: '名单库',
  'list-files': '名单库',
  imports: '名单库',
  'report-schedules': '报表计划',
  'report-schedule-times': '报表计划',
  'report-channels': '报表计划',
  webhooks: '推送与通知',
  'webhook-events': '推送与通知',
};

/**
 * The OpenAPI 3.1 document of the mounted routes, generated from the contracts that validate them.
 *
 * Source: OCS 4
 */
export function openApiDocument(routes: readonly RouteContract[], version: string, messages: OutgoingMessages = {}): OpenApiDocument {
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: { title: 'Callout 外呼管理服务', version, description: ABOUT },
    servers: [{ url: '/' }],
    paths: pathsOf(routes),
    webhooks: webhooksOf(messages),
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: '登录后得到的令牌' },
        internalToken: { type: 'apiKey', in: 'header', name: 'X-Callout-Internal-Token', description: '内部接口令牌；未配置时不校验' },
      },
    },
  };
  // A schema of z.custom is described by its own meta, or by that of the pipe around it.
  return withOneJsonValue(createDocument(document, { allowEmptySchema: { custom: true } }));
}

/** Messages that the server sends to endpoints, by the type of their event. */
export type OutgoingMessages = Readonly<Record<string, z.ZodType>>;

function webhooksOf(messages: OutgoingMessages): ZodOpenApiPathsObject {
  const taken = { description: '2xx：已收下；其他状态或超过 10 秒没有应答：稍后重试' };
  const post = (type: string, schema: z.ZodType): ZodOpenApiOperationObject => ({
    operationId: `webhook${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: schema.description ?? type,
    tags: ['推送的事件'],
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': taken },
  });
  return Object.fromEntries(Object.entries(messages).map(([type, schema]) => [type, { post: post(type, schema) }]));
}

/** Merges the anonymous schemas: all of them mean any JSON value, one for each place that uses it. */
function withOneJsonValue(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document).replaceAll(/\b__schema\d+/g, 'JsonValue'));
}

/** `/api/campaigns/:id` → `/api/campaigns/{id}`. */
export function openApiPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

function pathsOf(routes: readonly RouteContract[]): ZodOpenApiPathsObject {
  const byPath = Map.groupBy(routes, route => openApiPath(route.path));
  return Object.fromEntries([...byPath].map(([path, group]) => [path, Object.fromEntries(group.map(operationOf))]));
}

function operationOf(route: RouteContract): [string, ZodOpenApiOperationObject] {
  const { method, path, summary, access, params, query, body } = route;
  const operation: ZodOpenApiOperationObject = {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z0-9]+(\w)?/g, (_, letter: string | undefined) => (letter ?? '').toUpperCase())}`,
    summary,
    tags: [tagOf(path)],
    ...securityOf(access),
    ...paramsOf({ path: objectOf(params), query: objectOf(query), header: isRepeatable(route) ? repeatable : undefined }),
    ...(body ? { requestBody: { required: true, content: { [bodyType(body)]: { schema: body } } } } : {}),
    responses: responsesOf(route),
  };
  return [method.toLowerCase(), operation];
}

type Params = NonNullable<ZodOpenApiOperationObject['requestParams']>;

function paramsOf(given: { [Place in keyof Params]: z.ZodObject | undefined }): Pick<ZodOpenApiOperationObject, 'requestParams'> {
  const present = Object.entries(given).filter(([, schema]) => schema !== undefined);
  return present.length === 0 ? {} : { requestParams: Object.fromEntries(present) };
}

const repeatable = z.object({
  'Idempotency-Key': z
    .string()
    .max(257)
    .optional()
    .meta({ description: '同一用户以同一值重复同一请求，24 小时内得到首次的应答；内容不同为 422，首次请求仍在处理为 409' }),
});

/** Uploads and public rows accept no idempotency key. */
function isRepeatable({ method, access, body }: RouteContract): boolean {
  return method === 'POST' && access !== 'public' && (body === undefined || bodyType(body) === 'application/json');
}

/** Parameters are documented one by one, which only an object schema allows. */
function objectOf(schema: z.ZodType | undefined): z.ZodObject | undefined {
  if (schema === undefined || schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodPipe && schema.in instanceof z.ZodObject) return schema.in;
  throw new TypeError('a route needs an object for its path and its query');
}

function tagOf(path: string): string {
  const [first = '', second = '', third = ''] = path.split('/').filter(part => part !== '');
  const resource = first !== 'api' ? first : second === 'v1' ? third : second;
  return RESOURCES[resource] ?? resource;
}

function securityOf(access: RouteContract['access']): Pick<ZodOpenApiOperationObject, 'security' | 'description'> {
  if (access === 'public') return { security: [] };
  if (access === 'internal') return { security: [{ internalToken: [] }] };
  return { security: [{ session: [] }], ...(access === 'session' ? {} : { description: `需要权限 \`${access}\`` }) };
}

/** Only an upload has a member `file`. */
function bodyType(body: z.ZodType): string {
  return body instanceof z.ZodObject && Object.hasOwn(body.shape, 'file') ? 'multipart/form-data' : 'application/json';
}

function responsesOf(route: RouteContract): ZodOpenApiResponsesObject {
  const { data, access, params, also } = route;
  const failed = (description: string) => ({ description, content: { 'application/json': { schema: failure } } });
  return {
    '200': { description: '成功', content: successContent(route) },
    ...(also?.[206] === undefined ? {} : { '206': { description: also[206], content: successContent(route) } }),
    ...(access === 'public' ? {} : { '401': failed('未登录或凭据无效') }),
    ...(access === 'public' || access === 'session' || access === 'internal' ? {} : { '403': failed('没有权限') }),
    ...(params ? { '404': failed('资源不存在') } : {}),
    ...(also?.[304] === undefined ? {} : { '304': { description: also[304] } }),
    ...(also?.[416] === undefined ? {} : { '416': { description: also[416] } }),
    ...(also?.[503] === undefined
      ? {}
      : { '503': { description: also[503], content: { 'application/json': { schema: failedEnvelopeOf(503, data) } } } }),
    default: failed('失败；状态码与 code 相同'),
  };
}

function successContent({ data, stream, media }: Pick<RouteContract, 'data' | 'stream' | 'media'>) {
  if (media) return { [media]: { schema: z.string().meta({ format: 'binary' }) } };
  if (stream) return { 'text/event-stream': { schema: z.string().meta({ description: '事件流，不带外层结构' }) } };
  if (data instanceof z.ZodNever) return { 'text/plain': { schema: z.string() } };
  return { 'application/json': { schema: envelopeOf(data) } };
}
