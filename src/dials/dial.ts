import { z } from 'zod';
import { attempt } from '#attempts/attempt.ts';
import { SKIP_DETAILS, SKIP_REASONS } from '#campaigns/decisions/skip-reason.ts';
import { type Contact, newContact } from '#contacts/contact.ts';
import { bigRowId, instant, instantText, rowId, stamps } from '#kernel/fields.ts';

/** Dials in one request. */
export const MAX_DIALS = 1_000;
export const MAX_EXTERNAL_ID_LENGTH = 128;
/** 0: in the order of other contacts; 1 to 9: before retries and other contacts, higher ones first. */
const MAX_PRIORITY = 9;

const orNull = z.union([z.literal(''), instantText]).nullish();

/** A person to call at another system's request. Source: D7.15 */
export const newDial = newContact.safeExtend({
  externalId: z
    .string()
    .trim()
    .max(MAX_EXTERNAL_ID_LENGTH)
    .nullish()
    .transform(given => given ?? '')
    .meta({ description: '来源系统中的编号，在活动内唯一；可据此查询这次呼叫' }),
  notBefore: orNull.meta({ description: '此前不呼叫' }),
  notAfter: orNull.meta({ description: '此后不再呼叫；须晚于当前时间与 notBefore' }),
  priority: z
    .int()
    .min(0)
    .max(MAX_PRIORITY)
    .nullish()
    .transform(given => given ?? 0)
    .meta({ description: '0（默认）按活动中联系人的顺序；1 到 9 先于重试与其他联系人，大的在前' }),
});

export const DIAL_ANSWERS = ['accepted', 'refused'] as const;

const dialAnswer = z.object({
  index: z.int().nonnegative().meta({ description: '在请求中的位置，从 0 起' }),
  status: z.enum(DIAL_ANSWERS),
  contactId: bigRowId.nullable().meta({ description: '受理的为新联系人；因重复而拒绝的为已有的联系人' }),
  field: z.string().nullable().meta({ description: '拒绝时：哪个字段' }),
  reason: z.string().nullable().meta({ description: '拒绝时：原因的代号' }),
  message: z.string().nullable().meta({ description: '拒绝时：原因，中文' }),
});

export type DialAnswer = z.output<typeof dialAnswer>;

export const placedDials = z
  .object({
    accepted: z.int().nonnegative(),
    refused: z.int().nonnegative(),
    waitsForStart: z.boolean().meta({ description: 'true：活动没有在运行，受理的呼叫要等活动启动后才拨出' }),
    dials: z.array(dialAnswer),
  })
  .meta({ id: 'PlacedDials' });

export type PlacedDials = z.output<typeof placedDials>;

/** The state of a dial. `expired`: its latest instant passed before it could be made. */
export const DIAL_STATES = ['waiting', 'in_call', 'completed', 'failed', 'expired', 'paused'] as const;
export type DialState = (typeof DIAL_STATES)[number];

const notDialed = z.object({
  reason: z.enum(SKIP_REASONS),
  detail: z.enum(SKIP_DETAILS).nullable(),
  message: z.string(),
  since: instant.nullable(),
  nextEligibleAt: instant.nullable(),
});

/** Source: D7.15 */
export const dial = z
  .object({
    contactId: bigRowId,
    campaignId: rowId,
    externalId: z.string(),
    phoneNumber: z.string(),
    customerName: z.string(),
    state: z.enum(DIAL_STATES).meta({
      description:
        'waiting 等待呼叫（含重试），in_call 呼叫中，completed 已接通，failed 未接通且不再呼叫，expired 已过 notAfter 而未能呼叫，paused 已暂停',
    }),
    notBefore: instant.nullable(),
    notAfter: instant.nullable(),
    priority: z.int(),
    attempts: z.array(attempt).meta({ description: '最近的呼叫，新的在前' }),
    notDialed: notDialed.nullable().meta({ description: '现在为什么不呼叫；即将呼叫、呼叫中或已接通时为空' }),
    ...stamps,
  })
  .meta({ id: 'Dial' });

export type Dial = z.output<typeof dial>;

/** Hold of a contact whose latest instant has passed. */
export const TOO_LATE = 'not_after_passed';

export function dialState({ status, retryAt, holdReason }: Pick<Contact, 'status' | 'retryAt' | 'holdReason'>): DialState {
  if (status === 'submitted') return 'in_call';
  if (status === 'pending') return 'waiting';
  if (status !== 'failed') return status;
  if (holdReason === TOO_LATE) return 'expired';
  return retryAt === null ? 'failed' : 'waiting';
}
