import { z } from 'zod';
import { SOFTPHONE_DIRECTIONS } from '#agent-calls/agent-call.ts';
import { CALLBACK_STATUSES } from '#callbacks/callback.ts';
import { bigRowId, instant, rowId } from '#kernel/fields.ts';
import { agentStatsRow } from './agent-stat.ts';

const count = z.int().nonnegative();

/** A time that an agent spent in one state. */
const agentDayState = z
  .object({ state: z.string(), reason: z.string().nullable(), from: instant, to: instant })
  .meta({ id: 'AgentDayState' });

/** A call of an agent, or a ring that nobody picked up. */
const agentDayCall = z
  .object({
    callId: bigRowId.meta({ description: '坐席通话的编号' }),
    attemptId: bigRowId.nullable().meta({ description: '外呼通话的编号；坐席自己拨出的为 null' }),
    direction: z.enum(SOFTPHONE_DIRECTIONS),
    campaignId: rowId.nullable(),
    campaignName: z.string().nullable(),
    contactId: bigRowId.nullable(),
    customerName: z.string().nullable(),
    phoneNumber: z.string(),
    startedAt: instant.meta({ description: '坐席话机开始振铃的时间' }),
    answeredAt: instant.nullable(),
    endedAt: instant.nullable(),
    isAnswered: z.boolean().meta({ description: '坐席与客户通话过；旁听不算' }),
    isMissed: z.boolean().meta({ description: '振铃后无人接起，客户仍在' }),
    talkSeconds: count,
    wrapUpSeconds: count,
    disposition: z.string().nullable().meta({ description: '坐席选定的结果' }),
  })
  .meta({ id: 'AgentDayCall' });

export type AgentDayCall = z.output<typeof agentDayCall>;

/** A callback that the agent was to make itself, due on the day. */
const agentDayCallback = z
  .object({
    callbackId: bigRowId,
    campaignId: rowId,
    contactId: bigRowId,
    customerName: z.string(),
    phoneNumber: z.string(),
    dueAt: instant,
    note: z.string(),
    status: z.enum(CALLBACK_STATUSES),
  })
  .meta({ id: 'AgentDayCallback' });

/** What an agent did on one business day. Source: D14.11 */
export const agentDay = z
  .object({
    date: z.string().meta({ description: '业务时区的一天，如 2026-11-29' }),
    timeZone: z.string(),
    from: instant,
    to: instant.meta({ description: '一天的结束；当天为现在' }),
    sums: agentStatsRow.meta({ description: '与坐席统计（GET /api/reports/agent-stats）同一天相同' }),
    states: z.array(agentDayState).meta({ description: '各段时间的状态，依次相接；离线也列' }),
    calls: z.array(agentDayCall).meta({ description: '通话与未接，按时间；最多 1,000 条' }),
    callbacks: z.array(agentDayCallback).meta({ description: '当天到期、由本人回访的约定；最多 200 条' }),
  })
  .meta({ id: 'AgentDay' });

export type AgentDay = z.output<typeof agentDay>;
