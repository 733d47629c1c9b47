import { z } from 'zod';
import { rowId } from '#kernel/fields.ts';
import { runtimeScript } from './runtime-script.ts';

const failed = z.object({
  ok: z.literal(false),
  code: z.string().meta({ description: '错误目录中的代码，如 NOT_FOUND' }),
  msg: z.string(),
});

/** Schema of the server's answer to a request over the bus. */
export function busAnswerOf<Data extends z.ZodType>(data: Data) {
  return z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), data }), failed]);
}

/** `version` is the one that an attempt is pinned to (D5.7); null or absent selects the current one. */
export const scriptRequest = z.object({ version: rowId.nullish() }).meta({ id: 'ScriptRequest', description: '读取话术脚本的运行时 JSON' });

export const scriptAnswer = busAnswerOf(runtimeScript).meta({ id: 'ScriptAnswer', description: '运行时 JSON，与 REST 的 data 相同' });

const MAX_TOKEN_LENGTH = 512;

/** Credentials of a request over the bus: one of the two, never logged. Source: D3.6 */
const credentials = {
  token: z.string().min(1).max(MAX_TOKEN_LENGTH).optional().meta({ description: '登录得到的令牌；权限与 REST 相同' }),
  internalToken: z.string().max(MAX_TOKEN_LENGTH).optional().meta({ description: '内部令牌，与 REST 的 X-Callout-Internal-Token 相同' }),
};

export const busCredentials = z.object(credentials);

/** Ends the whole call at the switch. Source: D9.6 */
export const endCallRequest = z
  .object({
    cause: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]{1,60}$/)
      .optional()
      .meta({ description: '挂断原因，缺省 NORMAL_CLEARING' }),
    token: credentials.token,
  })
  .meta({ id: 'EndCallRequest', description: '请求服务器在交换机上挂断通话；带 token 时按 POST /api/live-calls/:callKey/hangup 处理' });

export const endCallAnswer = busAnswerOf(
  z.object({
    requestId: z.string(),
    outcome: z.enum(['ended', 'alreadyEnded']).optional().meta({ description: 'ended：正在交换机上挂断；alreadyEnded：通道已不存在' }),
  }),
).meta({ id: 'EndCallAnswer', description: '挂断已受理' });

export const campaignRequest = z.object(credentials).meta({ id: 'CampaignRequest', description: '启动或暂停活动' });

export const campaignAnswer = busAnswerOf(z.object({ status: z.string() })).meta({ id: 'CampaignAnswer', description: '活动的新状态' });

export const endCallAnswerExample = { ok: true, data: { requestId: '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10' } };
