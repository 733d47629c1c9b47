import { z } from 'zod';
import { agent } from '#agents/agent.ts';
import { bigRowId, instant, MAX_INT4, rowId } from '#kernel/fields.ts';

/** Most rows of one page of the board. */
export const MAX_BOARD_ROWS = 500;

/** A page of the board, for callers who send numbers. */
export const boardPage = z.object({
  page: z.int().min(1).max(MAX_INT4).optional().default(1),
  pageSize: z.int().min(1).max(MAX_BOARD_ROWS).optional().default(MAX_BOARD_ROWS),
});

/** A user who watches calls now. */
const presentMonitor = z
  .object({
    userId: rowId,
    displayName: z.string(),
    capacity: z.int().nonnegative().meta({ description: '可以同时监听的通话数' }),
    watched: z.int().nonnegative().meta({ description: '正在监听的通话数' }),
  })
  .meta({ id: 'BoardMonitor' });

/** The call that an agent is in, with its customer. */
const boardCall = z
  .object({
    callKey: z.string(),
    attemptId: bigRowId.nullable().meta({ description: '机器人拨出的通话；坐席自己拨打的为 null' }),
    softphoneCallId: bigRowId.nullable().meta({ description: '坐席自己拨打的通话；其余为 null' }),
    campaignId: rowId.nullable(),
    contactId: bigRowId.nullable(),
    customerName: z.string(),
    phoneNumber: z.string(),
  })
  .meta({ id: 'BoardCall' });

export type BoardCall = z.output<typeof boardCall>;

const seconds = z.int().nonnegative();
const share = z.number().min(0).max(1);

/** Work of an agent since the beginning of the business day. */
const agentDay = z
  .object({
    callsHandled: z.int().nonnegative(),
    talkSeconds: seconds,
    wrapUpSeconds: seconds,
    occupancy: share.nullable().meta({ description: '振铃、通话与整理占在岗时间（不含休息）的比例；尚未在岗为 null' }),
  })
  .meta({ id: 'BoardDay' });

export type BoardDay = z.output<typeof agentDay>;

/** An agent, or a monitor who is none. */
const boardRow = z
  .object({
    agent: agent.nullable(),
    monitor: presentMonitor.nullable(),
    call: boardCall.nullable(),
    day: agentDay.nullable(),
  })
  .meta({ id: 'BoardRow' });

export type BoardRow = z.output<typeof boardRow>;

const members = z.int().nonnegative();

/** Enabled agents of a group by what they do, and the calls that they watch. */
const groupLoad = z
  .object({
    groupId: rowId.nullable(),
    name: z.string(),
    idle: members,
    busy: members,
    ringing: members,
    talking: members,
    wrapUp: members,
    offline: members,
    capacity: z.int().nonnegative(),
    watched: z.int().nonnegative(),
  })
  .meta({ id: 'BoardGroup' });

export type GroupLoad = z.output<typeof groupLoad>;

/** How likely a needed agent is busy with so many on duty. */
const outlook = z
  .object({
    agents: z.int().nonnegative(),
    allBusy: share.meta({ description: '所有坐席都在忙的概率，客户不等待（Erlang B）' }),
    waits: share.meta({ description: '需要等待的概率，客户一直等待（Erlang C）' }),
    waitSeconds: z.number().nonnegative().nullable().meta({ description: '平均等待；null：坐席不够，队伍只会变长' }),
  })
  .meta({ id: 'StaffingOutlook' });

export type Outlook = z.output<typeof outlook>;

/** Why there is no forecast. */
export const STAFFING_GAPS = ['arrivals', 'handled'] as const;

/** The calls of the last hour that needed a person, and what they say about the next. Source: D12.11 */
const staffing = z
  .object({
    since: instant.meta({ description: '推算所依据时段的开始：近一小时内第一通需要人工的通话，至少五分钟前' }),
    arrivals: z.int().nonnegative().meta({ description: '需要人工的通话：转人工、接管、提醒和坐席回呼' }),
    handled: z.int().nonnegative().meta({ description: '其中已由坐席处理完的' }),
    averageTalkSeconds: z.number().nonnegative().nullable(),
    averageWrapUpSeconds: z.number().nonnegative().nullable(),
    agentsOnDuty: z.int().nonnegative(),
    lacks: z
      .enum(STAFFING_GAPS)
      .nullable()
      .meta({ description: '缺少什么而无法推算：arrivals 需要人工的通话太少；handled 还没有处理完的' }),
    outlooks: z.array(outlook).meta({ description: '少一人、现有人数和多一人；无法推算时为空' }),
  })
  .meta({ id: 'Staffing' });

export type Staffing = z.output<typeof staffing>;

export const agentBoard = z
  .object({
    rows: z.array(boardRow),
    total: z.int().nonnegative(),
    groups: z.array(groupLoad),
    staffing,
    at: instant,
  })
  .meta({ id: 'AgentBoard' });

export type AgentBoard = z.output<typeof agentBoard>;
