import { z } from 'zod';
import { instant, rowId } from '#kernel/fields.ts';

/** Longest range of an answer, days. */
export const MAX_AGENT_DAYS = 31;

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);

export const agentStatsRow = z
  .object({
    agentId: rowId,
    name: z.string(),
    groupId: rowId.nullable(),
    offered: count.meta({ description: '为客户振铃到该坐席的次数：已接 + 未接' }),
    answered: count.meta({ description: '坐席与客户通话的次数，自己拨出的也算；旁听不算' }),
    missed: count.meta({ description: '振铃后无人接起、客户仍在的次数' }),
    talkSeconds: count,
    wrapUpSeconds: count,
    onDutySeconds: count.meta({ description: '空闲、振铃、通话与整理的秒数，不含忙碌与离线' }),
    occupancy: share.nullable().meta({ description: '振铃、通话与整理占在岗时间的比例；没有在岗为 null' }),
    states: z
      .array(z.object({ state: z.string(), reason: z.string().nullable(), seconds: count }))
      .meta({ description: '各状态的秒数，忙碌按原因分；没有一秒的不列' }),
    hours: z
      .array(z.object({ hour: z.int().min(0).max(23), onDutySeconds: count, occupancy: share.nullable() }))
      .meta({ description: '一天中各钟点的在岗与占用；没有在岗的不列' }),
  })
  .meta({ id: 'AgentStatsRow' });

export type AgentStatsRow = z.output<typeof agentStatsRow>;

export const agentStats = z
  .object({ rows: z.array(agentStatsRow), from: instant, to: instant, timeZone: z.string() })
  .meta({ id: 'AgentStats' });

export type AgentStats = z.output<typeof agentStats>;
