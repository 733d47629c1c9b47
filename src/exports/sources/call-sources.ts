import { sql } from 'kysely';
import { type AttemptFilter, attemptIdsBetween, attemptList, RECORDING_STATE } from '#attempts/attempt-store.ts';
import { maskedMembers } from '#phone-numbers/masked-answer.ts';
import { CALL_RESULTS } from '../result-columns.ts';
import { WORDS } from '../decisions/export-words.ts';
import { epoch, type ExportSource, type IdRange, type SourceColumn } from './export-source.ts';

/** The call's contact, campaign, line and script, each by its current name. */
const NAMES = sql`
  left join contact k on k.id = coalesce(a.tested_contact_id, a.contact_id)
  left join campaign m on m.id = a.campaign_id
  left join line l on l.id = a.line_id
  left join script s on s.id = a.script_id`;

const FROM = sql`chosen join attempt a on a.id = chosen.id ${NAMES}
  left join lateral (
    select v.label, v.note from call_disposition v where v.attempt_id = a.id order by v.updated_at desc, v.id desc limit 1) as said on true`;

const WHO: readonly SourceColumn[] = [
  { key: 'id', title: ['编号', 'Id'], type: 'integer', value: sql`a.id` },
  { key: 'requestId', title: ['呼叫编号', 'Request id'], type: 'text', value: sql`a.request_id`, isRare: true },
  { key: 'campaignId', title: ['活动编号', 'Campaign id'], type: 'integer', value: sql`a.campaign_id`, isRare: true },
  { key: 'campaign', title: ['活动', 'Campaign'], type: 'text', value: sql`m.name` },
  { key: 'contactId', title: ['联系人编号', 'Contact id'], type: 'integer', value: sql`k.id`, isRare: true },
  { key: 'externalId', title: ['外部编号', 'External id'], type: 'text', value: sql`k.external_id` },
  { key: 'phoneNumber', title: ['号码', 'Number'], type: 'text', value: sql`a.phone_number`, isNumber: true },
  { key: 'customerName', title: ['姓名', 'Name'], type: 'text', value: sql`k.customer_name` },
];

const OUTCOME: readonly SourceColumn[] = [
  { key: 'callStatus', title: ['结果', 'Outcome'], type: 'text', value: sql`a.call_status`, words: WORDS.callStatus },
  { key: 'outcome', title: ['结果代码', 'Outcome code'], type: 'text', value: sql`a.outcome` },
  { key: 'status', title: ['状态', 'Status'], type: 'text', value: sql`a.status`, words: WORDS.attemptStatus },
  { key: 'startedAt', title: ['拨号时间', 'Dialled at'], type: 'instant', value: epoch(sql`a.started_at`) },
  { key: 'answeredAt', title: ['接听时间', 'Answered at'], type: 'instant', value: epoch(sql`a.answered_at`) },
  { key: 'endedAt', title: ['结束时间', 'Ended at'], type: 'instant', value: epoch(sql`a.ended_at`) },
  { key: 'durationSeconds', title: ['通话秒数', 'Seconds talked'], type: 'integer', value: sql`a.duration_seconds` },
  { key: 'hangupBy', title: ['挂断方', 'Hung up by'], type: 'text', value: sql`a.hangup_by`, words: WORDS.hangupBy },
  { key: 'hangupCause', title: ['挂断原因', 'Hang-up cause'], type: 'text', value: sql`a.hangup_cause` },
];

const FOUND_OUT: readonly SourceColumn[] = [
  { key: 'classification', title: ['分类', 'Class'], type: 'text', value: sql`a.classification` },
  { key: 'intent', title: ['意图', 'Intent'], type: 'text', value: sql`a.intent` },
  { key: 'disposition', title: ['坐席结果', 'Disposition'], type: 'text', value: sql`said.label` },
  { key: 'dispositionNote', title: ['坐席备注', "Agent's note"], type: 'text', value: sql`said.note` },
];

const HOW: readonly SourceColumn[] = [
  { key: 'line', title: ['线路', 'Line'], type: 'text', value: sql`l.name` },
  { key: 'callerNumber', title: ['主叫号码', 'Caller id'], type: 'text', value: sql`a.caller_number` },
  { key: 'cellId', title: ['交换节点', 'Cell'], type: 'text', value: sql`a.cell_id`, isRare: true },
  { key: 'script', title: ['话术', 'Script'], type: 'text', value: sql`s.name` },
  { key: 'scriptVersion', title: ['话术版本', 'Script version'], type: 'integer', value: sql`a.script_version` },
  { key: 'recording', title: ['录音文件', 'Recording'], type: 'text', value: sql`a.recording_url` },
  {
    key: 'recordingState',
    title: ['录音状态', 'Recording state'],
    type: 'text',
    value: RECORDING_STATE,
    words: WORDS.recordingState,
    isRare: true,
  },
  { key: 'recognizedText', title: ['客户所说', 'Customer said'], type: 'text', value: sql`a.recognized_text`, isRare: true },
  { key: 'createdAt', title: ['创建时间', 'Made at'], type: 'instant', value: epoch(sql`a.created_at`), isRare: true },
];

function callsWhere(filter: AttemptFilter) {
  return {
    table: sql`attempt`,
    chosen: (range: IdRange) => attemptIdsBetween(filter, range),
    total: attemptList.total(filter),
    createdFrom: filter.from,
    campaignId: filter.campaignId ?? null,
  };
}

/** A row for each call, as the list of calls shows it. */
export function attemptSource(filter: AttemptFilter): ExportSource {
  return {
    ...callsWhere(filter),
    columns: [...WHO, ...OUTCOME, ...FOUND_OUT, ...HOW],
    from: FROM,
    order: sql`a.id`,
    variables: sql`k.metadata`,
    results: CALL_RESULTS,
  };
}

const RESULT_TIME: readonly SourceColumn[] = [
  { key: 'resultAt', title: ['结果时间', 'Result at'], type: 'instant', value: epoch(sql`a.result_at`) },
  { key: 'payload', title: ['上报内容', 'Payload'], type: 'json', value: sql`a.payload`, mask: maskedMembers, isRare: true },
];

/** A row for each call with a result: who it was and what was found out. */
export function resultSource(filter: AttemptFilter): ExportSource {
  return {
    ...callsWhere(filter),
    chosen: range => attemptIdsBetween(filter, range, sql`a.result_at is not null`),
    total: null,
    columns: [...WHO, ...OUTCOME.filter(({ key }) => ['callStatus', 'outcome', 'startedAt'].includes(key)), ...RESULT_TIME, ...FOUND_OUT],
    from: FROM,
    order: sql`a.id`,
    results: CALL_RESULTS,
  };
}

const SAID: readonly SourceColumn[] = [
  { key: 'attemptId', title: ['通话编号', 'Call id'], type: 'integer', value: sql`a.id` },
  ...WHO.filter(({ key }) => key !== 'id'),
  { key: 'startedAt', title: ['拨号时间', 'Dialled at'], type: 'instant', value: epoch(sql`a.started_at`) },
  { key: 'answeredAt', title: ['接听时间', 'Answered at'], type: 'instant', value: epoch(sql`a.answered_at`), isRare: true },
  { key: 'position', title: ['序号', 'Position'], type: 'integer', value: sql`t.position` },
  { key: 'speaker', title: ['说话方', 'Speaker'], type: 'text', value: sql`t.speaker`, words: WORDS.speaker },
  { key: 'text', title: ['内容', 'Text'], type: 'text', value: sql`t.text` },
  { key: 'startMs', title: ['开始毫秒', 'From, ms'], type: 'integer', value: sql`t.start_ms` },
  { key: 'endMs', title: ['结束毫秒', 'To, ms'], type: 'integer', value: sql`t.end_ms` },
  { key: 'nodeId', title: ['话术节点', 'Node'], type: 'text', value: sql`t.node_id` },
  { key: 'source', title: ['来源', 'Source'], type: 'text', value: sql`t.source`, isRare: true },
];

/** Segments of a call at most: one that has more is cut, as its page is. */
const MAX_SEGMENTS = 5_000;
const USUAL_SEGMENTS = 20;

/** A row for each segment of the calls that match. */
export function transcriptSource(filter: AttemptFilter): ExportSource {
  return {
    ...callsWhere(filter),
    columns: SAID,
    from: sql`chosen join attempt a on a.id = chosen.id ${NAMES}
      cross join lateral (select * from transcript_segment where attempt_id = a.id order by position, id limit ${MAX_SEGMENTS}) as t`,
    order: sql`a.id, t.position, t.id`,
    rowsPerId: USUAL_SEGMENTS,
  };
}
