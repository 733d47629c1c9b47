import { z } from 'zod';
import { bigRowId, instant, rowId, stamps } from '#kernel/fields.ts';

/**
 * All types of runtime events, with the description published in the API documents.
 *
 * Source: D14.3
 */
export const RUNTIME_EVENT_TYPES = {
  'campaign.started': '活动开始运行',
  'campaign.paused': '活动暂停',
  'campaign.completed': '活动呼完',
  'campaign.blocked': '活动的呼叫大量失败，或话术引擎连续因没有话术结束通话：已停止外呼',
  'campaign.abandonment_limit': '活动接通后无人应答的来电超过规则的上限：已停止外呼，直到比例回落',
  'agent.disposition_missing': '坐席在最长整理时间内没有选定通话结果，已恢复接听',
  'callback.given_up': '约定的回访没有接通，或时间已过：不再呼叫',
  'dial.expired': '请求的呼叫已过要求的最晚时间：不再呼叫',
  'number.few_answers': '主叫号码的接通率明显低于同线路其他号码：已休息，或询问是否休息',
  'line.silent': '线路连续多次呼叫没有收到对端的任何应答，多半已中断；这些呼叫不计入联系人的次数',
  'dispatch.variables_left_out': '部分变量不能写入通道，已略去；完整的值仍交给话术引擎',
  'call.stuck': '通话既没有接通也没有结束',
  'call.outcome_unknown': '通话已不在交换机上，且没有收到结果',
  'call.result_incomplete': '通话已结束，没有收到话术引擎的结果',
  'call.result_conflict': '后到的结果与先到的不一致',
  'call.recording_incomplete': '通话录音不完整：文件不存在、短于通话、无声，或无法检查',
  'cell.up': '交换机节点恢复',
  'cell.down': '交换机节点不可达',
  'dependency.up': '数据库、缓存或消息总线恢复',
  'dependency.down': '数据库、缓存或消息总线不可用',
  'runtime.up': '话术引擎登记，或有未登记的话术引擎开始接听',
  'runtime.down': '话术引擎失联或退出、不应答或接起后不出声，或没有话术引擎能接通话、已停止外呼',
  'runtime.full': '话术引擎没有空闲名额，外呼等待',
  'runtime.clock_skew': '话术引擎的时钟与服务器相差两秒以上，每个话术引擎一次',
  'runtime.report_rejected': '话术引擎的上报被拒绝，每种原因每小时一次',
  'pre_dial.secret_unreadable': '拨前询问的密钥无法读取：活动不再呼叫，直到重新保存拨前询问，每天一次',
  'replica.up': '报表数据库恢复，报表与导出重新从它读取',
  'replica.down': '报表数据库不可达，或落后太多：报表与导出改由主库读取',
  'storage.partition_late': '转写记录的分区没有及时建立：转写暂存在末尾分区，已开始补建',
  'webhook.disabled': '推送端点连续五天没有送达，或接收方不再接收：已停用',
  'schedule.missed': '没有服务器运行时错过了报表计划的时间：合并补发一次',
  'schedule.failed': '报表计划没有发出',
  'intent.alert': '客户的话命中了意向关键词',
  'intervention.requested': '已申请人工介入',
  'intervention.transferring': '人工介入开始转接',
  'intervention.active': '人工已接入通话',
  'intervention.ended': '人工介入结束',
  'intervention.cancelled': '人工介入已取消',
  'intervention.failed': '人工介入失败',
  'intervention.expired': '人工介入申请已失效',
  'supervisor.hangup': '主管挂断通话',
  'call.hinted': '给机器人提示',
  'call.text_spoken': '请机器人说一句话',
  'call.handed_back': '把客户交还给机器人',
  'call.listened': '旁听机器人的通话',
  'call.barged': '强插机器人的通话',
  'call.controlled': '坐席保持、静音或按键',
  'conference.recording_failed': '会议未能录音',
  'numbers.merged': '同一号码的不同写法已合并为一个联系人或勿扰条目',
} as const;

export type RuntimeEventType = keyof typeof RUNTIME_EVENT_TYPES;

export const RUNTIME_EVENT_LEVELS = ['info', 'warning', 'error'] as const;

const TYPES = Object.entries(RUNTIME_EVENT_TYPES)
  .map(([type, text]) => `\`${type}\` ${text}`)
  .join('；');

/** Source: D10, D14.3 */
export const runtimeEvent = z
  .object({
    id: bigRowId,
    level: z.enum(RUNTIME_EVENT_LEVELS),
    type: z.string().meta({ description: `类型，可能增加：${TYPES}` }),
    title: z.string(),
    message: z.string(),
    campaignId: rowId.nullable(),
    attemptId: bigRowId.nullable(),
    cellId: z.string().nullable(),
    detail: z.json(),
    acknowledgedAt: instant.nullable(),
    acknowledgedBy: rowId.nullable(),
    ...stamps,
  })
  .meta({ id: 'RuntimeEvent' });

export type RuntimeEvent = z.output<typeof runtimeEvent>;
