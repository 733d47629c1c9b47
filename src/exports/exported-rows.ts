import type { AttemptStatus, HangupBy } from '#attempts/attempt.ts';
import { CONTACT_TITLES, type ContactStatus } from '#contacts/contact.ts';
import type { ExportedCall } from './export-calls.ts';
import type { ExportedContact } from './export-contacts.ts';
import { offsetMsAt } from '#kernel/calendar.ts';
import type { CallStatus } from '#protocol/call-status.ts';

/** Language and time zone of an exported file. */
export interface SheetStyle {
  language: 'zh' | 'en';
  /** Business time zone. */
  zone: string;
}

type Words = readonly [zh: string, en: string];

interface Column<Row> {
  title: Words;
  cell: (row: Row, style: SheetStyle) => string | number | null;
}

/** Columns of one kind of file that users open in a spreadsheet. */
export type Sheet<Row> = readonly Column<Row>[];

const ATTEMPT_WORDS: Readonly<Record<AttemptStatus, Words>> = {
  claimed: ['即将呼出', 'About to dial'],
  dialing: ['呼出中', 'Dialling'],
  accepted: ['等待接听', 'Awaiting an answer'],
  answered: ['通话中', 'Talking'],
  completed: ['已完成', 'Completed'],
  failed: ['失败', 'Failed'],
  cancelled: ['已撤回', 'Withdrawn'],
  outcome_unknown: ['结果未知', 'Unknown'],
};
const CALL_WORDS: Readonly<Record<CallStatus, Words>> = {
  ringing: ['振铃', 'Ringing'],
  answered: ['已接通', 'Answered'],
  completed: ['已完成', 'Completed'],
  no_answer: ['无人接听', 'No answer'],
  busy: ['用户忙', 'Busy'],
  rejected: ['拒接', 'Rejected'],
  power_off: ['关机', 'Switched off'],
  out_of_service: ['停机', 'Out of service'],
  invalid_number: ['空号', 'No such number'],
  network_busy: ['网络忙', 'Network busy'],
  voicemail: ['语音信箱', 'Voicemail'],
  cancelled: ['已取消', 'Cancelled'],
  failed: ['失败', 'Failed'],
};
const PARTY_WORDS: Readonly<Record<HangupBy, Words>> = {
  customer: ['客户', 'Customer'],
  bot: ['机器人', 'Bot'],
  agent: ['坐席', 'Agent'],
  system: ['系统', 'System'],
};
const CONTACT_WORDS: Readonly<Record<ContactStatus, Words>> = {
  pending: ['待呼', 'To be dialled'],
  submitted: ['通话中', 'In a call'],
  completed: ['已触达', 'Reached'],
  failed: ['未触达', 'Not reached'],
  paused: ['已移出', 'Taken out'],
};

/** Labels by the section of the console's texts that has the same ones. */
export const WORDS = { attemptStatus: ATTEMPT_WORDS, callStatus: CALL_WORDS, hangupBy: PARTY_WORDS, contactStatus: CONTACT_WORDS };

export const CALL_SHEET: Sheet<ExportedCall> = [
  { title: ['编号', 'Id'], cell: ({ id }) => id },
  { title: ['活动', 'Campaign'], cell: ({ campaignName }) => campaignName },
  { title: ['号码', 'Number'], cell: ({ phoneNumber }) => phoneNumber },
  { title: ['姓名', 'Name'], cell: ({ customerName }) => customerName },
  { title: ['结果', 'Outcome'], cell: ({ callStatus }, style) => wordOf(CALL_WORDS, callStatus, style) },
  { title: ['状态', 'Status'], cell: ({ status }, style) => wordOf(ATTEMPT_WORDS, status, style) },
  { title: ['拨号时间', 'Dialled at'], cell: ({ startedAt }, style) => timeOf(startedAt, style) },
  { title: ['接听时间', 'Answered at'], cell: ({ answeredAt }, style) => timeOf(answeredAt, style) },
  { title: ['结束时间', 'Ended at'], cell: ({ endedAt }, style) => timeOf(endedAt, style) },
  { title: ['通话秒数', 'Seconds talked'], cell: ({ durationSeconds }) => durationSeconds },
  { title: ['挂断方', 'Hung up by'], cell: ({ userName, hangupBy }, style) => userName || wordOf(PARTY_WORDS, hangupBy, style) },
  { title: ['挂断原因', 'Hang-up cause'], cell: ({ hangupCause }) => hangupCause },
  { title: ['分类', 'Class'], cell: ({ classification }) => classification },
  { title: ['意图', 'Intent'], cell: ({ intent }) => intent },
  { title: ['线路', 'Line'], cell: ({ lineName }) => lineName },
  { title: ['主叫号码', 'Caller id'], cell: ({ callerNumber }) => callerNumber },
];

export const CONTACT_SHEET: Sheet<ExportedContact> = [
  { title: CONTACT_TITLES.id, cell: ({ id }) => id },
  { title: CONTACT_TITLES.campaign, cell: ({ campaignName }) => campaignName },
  { title: CONTACT_TITLES.phoneNumber, cell: ({ phoneNumber }) => phoneNumber },
  { title: CONTACT_TITLES.customerName, cell: ({ customerName }) => customerName },
  { title: CONTACT_TITLES.status, cell: ({ status }, style) => wordOf(CONTACT_WORDS, status, style) },
  { title: CONTACT_TITLES.attemptCount, cell: ({ attemptCount }) => attemptCount },
  { title: CONTACT_TITLES.priority, cell: ({ priority }) => priority },
  { title: CONTACT_TITLES.retryAt, cell: ({ retryAt }, style) => timeOf(retryAt, style) },
  { title: CONTACT_TITLES.holdReason, cell: ({ holdReason }) => holdReason },
  { title: CONTACT_TITLES.remark, cell: ({ remark }) => remark },
  { title: CONTACT_TITLES.metadata, cell: ({ metadata }) => (Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata)) },
  { title: CONTACT_TITLES.createdAt, cell: ({ createdAt }, style) => timeOf(createdAt, style) },
];

export function headerOf(sheet: Sheet<never>, { language }: SheetStyle): string[] {
  return sheet.map(({ title }) => inLanguage(title, language));
}

export function cellsOf<Row>(sheet: Sheet<Row>, row: Row, style: SheetStyle): (string | number | null)[] {
  return sheet.map(({ cell }) => cell(row, style));
}

function wordOf<Key extends string>(words: Readonly<Record<Key, Words>>, key: Key | null, { language }: SheetStyle): string {
  return key === null ? '' : inLanguage(words[key], language);
}

function inLanguage([zh, en]: Words, language: SheetStyle['language']): string {
  return language === 'en' ? en : zh;
}

/** `2026-10-01 09:00:00` in the business time zone, a form that spreadsheets recognise as a time. */
function timeOf(at: number | null, { zone }: SheetStyle): string {
  return at === null ? '' : new Date(at + offsetMsAt(zone, at)).toISOString().slice(0, 19).replace('T', ' ');
}
