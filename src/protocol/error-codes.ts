import { type ErrorCode, ERROR_CODES } from '#kernel/errors.ts';
import type { COMMAND_REFUSALS } from './commands.ts';

interface Meaning {
  zh: string;
  en: string;
}

/** Meaning of the catalogue's codes in answers over the bus. */
const CATALOGUE: Readonly<Record<ErrorCode, Meaning>> = {
  INVALID_ARGUMENT: {
    zh: '消息不合规，msg 指出字段；原样重发仍会被拒绝',
    en: 'The message breaks its schema; the text names the field. The same message will be refused again.',
  },
  UNAUTHENTICATED: {
    zh: '缺少 token 或 Callout-Proof，或不正确；msg 说明原因',
    en: 'token or Callout-Proof is missing or wrong; the text says which.',
  },
  FORBIDDEN: { zh: '该会话没有权限', en: 'The session lacks the permission.' },
  NOT_FOUND: { zh: '所指的通话、会话、活动或脚本不存在', en: 'No such call, session, campaign or script.' },
  METHOD_NOT_ALLOWED: { zh: '只用于 REST', en: 'REST only.' },
  CONFLICT: { zh: '与当前状态冲突，例如没有空闲坐席', en: 'The present state forbids it: no idle agent, for instance.' },
  NOTHING_TO_CALL: { zh: '活动没有可以呼叫的联系人', en: 'The campaign has nobody left to call.' },
  CAMPAIGN_ARCHIVED: { zh: '活动已归档', en: 'The campaign is archived.' },
  CAMPAIGN_RUNNING: { zh: '活动正在运行', en: 'The campaign is running.' },
  POLICY_FORBIDS: { zh: '外呼策略禁止', en: 'A dialling policy forbids it.' },
  LOCK_CONTENDED: { zh: '另一请求正在处理同一对象', en: 'Another request is at work on the same thing.' },
  IDEMPOTENCY_MISMATCH: { zh: '只用于 REST', en: 'REST only.' },
  STALE_EPOCH: { zh: '通话已交给其他运行时，停止其话术，不再上报', en: "The call is another runtime's by now: stop, and report no more." },
  GONE: { zh: '已经结束，记录不再保留', en: 'It is over and no longer kept.' },
  PAYLOAD_TOO_LARGE: { zh: '消息过大', en: 'The message is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { zh: '只用于 REST', en: 'REST only.' },
  RATE_LIMITED: { zh: '请求过于频繁', en: 'Too many requests.' },
  SWITCH_UNAVAILABLE: { zh: '交换机不可达', en: 'The switch cannot be reached.' },
  DOWNSTREAM_INVALID: { zh: '下游服务的应答不合规', en: 'A service behind this one answered nonsense.' },
  DOWNSTREAM_TIMEOUT: { zh: '下游服务没有及时应答', en: 'A service behind this one answered too late.' },
  DATABASE_UNAVAILABLE: { zh: '数据库不可用', en: 'The database is away.' },
  CACHE_UNAVAILABLE: { zh: '共享缓存不可用', en: 'The shared cache is away.' },
  BUS_UNAVAILABLE: { zh: '消息总线不可用，或对方没有应答', en: 'The bus is away, or nobody answered.' },
  SERVER_STOPPING: { zh: '实例正在停止', en: 'The instance is stopping.' },
  INTERNAL: { zh: '服务器内部错误，原因见服务器日志', en: 'A fault of the server; its log has the cause.' },
};

type Refusal = (typeof COMMAND_REFUSALS)[number];

/** Codes of runtimes' answers to commands, and of the server's answers to their registration. */
const BETWEEN_SERVER_AND_RUNTIME: Readonly<
  Record<Refusal | 'UNSUPPORTED_CONTRACT' | 'UNAVAILABLE' | 'STALE_PROOF', Meaning & { retryable: boolean }>
> = {
  STALE_PROOF: {
    zh: '对 hello、beat、bye 的应答：Callout-Time 与服务器相差过大，按 serverTime 校正后立即重发',
    en: 'To hello, beat and bye: Callout-Time is too far from the server’s time. Go by serverTime and send again at once.',
    retryable: true,
  },
  BUSY: {
    zh: '运行时应答 start：没有空位，立即交给下一个运行时',
    en: 'A runtime to start: no free place. The next runtime is asked at once.',
    retryable: true,
  },
  INVALID: {
    zh: '运行时应答 start：无法执行，不再交付；服务器应答 hello：字段不合规',
    en: 'A runtime to start: impossible, nobody else is asked. The server to hello: a field is wrong.',
    retryable: false,
  },
  UNKNOWN_COMMAND: { zh: '运行时不认识该命令', en: 'The runtime does not know the command.', retryable: false },
  UNKNOWN_CALL: { zh: '运行时没有该通话', en: 'The runtime has no such call.', retryable: false },
  UNSUPPORTED_CONTRACT: {
    zh: '服务器不支持运行时的契约版本',
    en: 'The server does not speak the contract version of the runtime.',
    retryable: false,
  },
  UNAVAILABLE: { zh: '服务器暂时无法登记，稍后重试', en: 'The server cannot register runtimes now; try again.', retryable: true },
};

export interface BusErrorCode extends Meaning {
  code: string;
  retryable: boolean;
}

const REST_ONLY = '只用于 REST';

/** Every code that a message of the bus may carry. */
export const BUS_ERROR_CODES: readonly BusErrorCode[] = [
  ...Object.entries(CATALOGUE)
    .filter(([, { zh }]) => zh !== REST_ONLY)
    .map(([code, meaning]) => ({ code, retryable: ERROR_CODES[code as ErrorCode].retryable, ...meaning })),
  ...Object.entries(BETWEEN_SERVER_AND_RUNTIME).map(([code, meaning]) => ({ code, ...meaning })),
];
