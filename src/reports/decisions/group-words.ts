import type { Dimension } from '#call-stats/decisions/dimensions.ts';
import type { Fate } from '#call-stats/decisions/columns.ts';
import { localTimeAt, offsetMsAt } from '#kernel/calendar.ts';
import type { Language } from '#kernel/problem.ts';

type Words = Readonly<Record<Language, string>>;

const words = (zh: string, en: string): Words => ({ zh, en });

/** Headings of groups; the console's texts have the same ones. */
const TITLES: Readonly<Record<Dimension, Words>> = {
  hour: words('小时', 'Hour'),
  hour_of_day: words('钟点', 'Hour of day'),
  weekday: words('星期', 'Weekday'),
  day: words('日期', 'Day'),
  week: words('周', 'Week'),
  month: words('月份', 'Month'),
  campaign: words('外呼活动', 'Campaign'),
  line: words('线路', 'Line'),
  number: words('主叫号码', 'Caller number'),
  cell: words('节点', 'Switch cell'),
  agent: words('坐席', 'Agent'),
  script: words('话术', 'Script'),
  script_version: words('话术版本', 'Script version'),
  outcome: words('呼叫结果', 'Outcome'),
  classification: words('分类', 'Classification'),
  intent: words('意图', 'Intent'),
  attempt_number: words('第几次拨打', 'Attempt'),
  handled_by: words('由谁接待', 'Handled by'),
  currency: words('货币', 'Currency'),
  business: words('业务', 'Business'),
  agent_group: words('坐席组', 'Agent group'),
  result_field: words('结果字段', 'Result field'),
};

const FATES: Readonly<Record<Fate, Words>> = {
  no_answer: words('无人接听', 'No answer'),
  busy: words('用户忙', 'Busy'),
  rejected: words('拒接', 'Rejected'),
  power_off: words('关机', 'Switched off'),
  out_of_service: words('停机', 'Out of service'),
  invalid_number: words('空号', 'Invalid number'),
  network_busy: words('网络忙', 'Network busy'),
  voicemail: words('语音信箱', 'Voicemail'),
  screening: words('来电助理', 'Phone assistant'),
  fax: words('传真', 'Fax'),
  abandoned: words('接通无人服务', 'Abandoned'),
  silent: words('接通未说话', 'Silent'),
  short: words('接通即挂', 'Hung up immediately'),
  completed: words('已通话', 'Conversation'),
  opted_out: words('谢绝来电', 'Opted out'),
  local_failure: words('我方故障', 'Local failure'),
  unknown: words('不明', 'Unknown'),
  in_progress: words('进行中', 'In progress'),
  withdrawn: words('已撤回', 'Withdrawn'),
};

const HANDLERS: Readonly<Record<string, Words>> = {
  none: words('没有通话', 'Nobody'),
  bot: words('机器人', 'Bot'),
  person: words('坐席', 'Agent'),
};

const WEEKDAYS: Readonly<Record<Language, readonly string[]>> = {
  zh: ['周一', '周二', '周三', '周四', '周五', '周六', '周日'],
  en: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
};

const NONE = words('（无）', '(none)');

export function dimensionTitle(dimension: Dimension, language: Language): string {
  return TITLES[dimension][language];
}

interface Reader {
  language: Language;
  /** Zone of the question, which hours are of. */
  timeZone: string;
}

/** The value of a group in words: the name of a row, the day of a week, the outcome. */
export function groupWords(dimension: Dimension, { value, label }: { value: string; label: string | null }, reader: Reader): string {
  if (value === '') return NONE[reader.language];
  return label ?? SPOKEN[dimension]?.(value, reader) ?? value;
}

const SPOKEN: Partial<Record<Dimension, (value: string, reader: Reader) => string>> = {
  hour: (value, { timeZone }) => localHour(Date.parse(value), timeZone),
  hour_of_day: value => `${value}:00`,
  weekday: (value, { language }) => WEEKDAYS[language][Number(value) - 1] ?? value,
  week: (value, { language }) => (language === 'zh' ? `${value} 起的一周` : `Week of ${value}`),
  outcome: (value, { language }) => wordIn(FATES, value, language),
  handled_by: (value, { language }) => wordIn(HANDLERS, value, language),
  attempt_number: (value, { language }) => (language === 'zh' ? `第 ${value} 次` : `Attempt ${value}`),
};

function wordIn(table: Readonly<Record<string, Words>>, value: string, language: Language): string {
  return Object.hasOwn(table, value) ? (table[value]?.[language] ?? value) : value;
}

/** `2026-11-29 08:00`; half an hour past where a zone's hours are. */
function localHour(at: number, zone: string): string {
  const { minute } = localTimeAt(zone, at);
  const day = new Date(at + offsetMsAt(zone, at)).toISOString().slice(0, 10);
  return `${day} ${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}
