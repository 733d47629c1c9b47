import { dateText, localTimeAt, timeOfDayText } from '#kernel/calendar.ts';
import type { Language } from '#kernel/problem.ts';
import { questionIn } from '#reports/decisions/kept-question.ts';
import { reportText, type ReportTable } from '#reports/decisions/report-text.ts';
import type { PeopleMessage } from '#webhooks/decisions/people-message.ts';
import type { InstantRange } from './span-range.ts';

interface Sent {
  name: string;
  language: Language;
  missed: number;
  /** Address of the server as people reach it, without a slash at its end; empty: not configured, so there is no link. */
  publicUrl: string;
}

interface SentReport extends Sent {
  /** The text that the saved report keeps. */
  question: string;
  range: InstantRange;
  timeZone: string;
  /** The time zone in which the console's page reads days. */
  pageZone: string;
  table: ReportTable;
}

const missedWords = (missed: number): Readonly<Record<Language, string>> => ({
  zh: `此前错过 ${missed} 次，合并为这一次。`,
  en: missed === 1 ? '1 run was missed before; this one stands for it.' : `${missed} runs were missed before; this one stands for them.`,
});

/** The message of a report: its range, a short table, and a link to the whole answer, in days and not in "yesterday". Source: D14.8 */
export function reportMessage(sent: SentReport): PeopleMessage {
  const { name, language, question, range, timeZone, pageZone, table, publicUrl } = sent;
  const days = rangeText(range, timeZone);
  const text = [`${days} · ${timeZone}`, ...missedLines(sent), '', reportText(table, language)].join('\n');
  const query = questionIn(question, typedRange(range, pageZone));
  return { title: `${name} · ${days}`, text, link: publicUrl === '' ? null : `${publicUrl}/reports?${query}` };
}

function missedLines({ missed, language }: Sent): string[] {
  return missed === 0 ? [] : [missedWords(missed)[language]];
}

interface SentExport extends Sent {
  fileName: string;
  rows: number;
  /** Name of the export's owner. */
  owner: string;
  /** Days for which the file is kept. */
  keptDays: number;
}

/**
 * The message of an export: where its file is fetched.
 *
 * Why: an address that opens without a session is good for ten minutes, and mail is read later; so it leads to the page on which one signs in
 */
export function exportMessage(sent: SentExport): PeopleMessage {
  const { name, language, fileName, rows, owner, keptDays, publicUrl } = sent;
  const words = {
    zh: `${fileName}，${rows} 行。请登录后在「导出」页面下载：${owner}与管理员可以取得，保留 ${keptDays} 天。`,
    en: `${fileName}, ${rows} rows. Sign in and download it on the page of exports: ${owner} and administrators may fetch it, for ${keptDays} days.`,
  }[language];
  return { title: name, text: [...missedLines(sent), words].join('\n'), link: publicUrl === '' ? null : `${publicUrl}/exports` };
}

/** `2026-11-28`, `2026-11-23 – 2026-11-29` where whole days are meant, else with times of day. */
export function rangeText({ from, to }: InstantRange, zone: string): string {
  const [first, last] = typedBounds({ from, to }, zone).map(text => text.replace('T', ' '));
  return first === last ? `${first}` : `${first} – ${last}`;
}

/** A range as the address of the console's page has it. */
function typedRange(range: InstantRange, zone: string): InstantRangeText {
  const [from, to] = typedBounds(range, zone);
  return { from, to };
}

interface InstantRangeText {
  from: string;
  to: string;
}

/** Whole days stand for themselves, the last one included; other bounds have their time of day. */
function typedBounds({ from, to }: InstantRange, zone: string): [from: string, to: string] {
  const [first, last] = [localTimeAt(zone, from), localTimeAt(zone, to)];
  const text = ({ day, minute }: typeof first) => `${dateText(day)}T${timeOfDayText(minute)}`;
  return [startsDay(zone, from) ? dateText(first.day) : text(first), startsDay(zone, to) ? dateText(last.day - 1) : text(last)];
}

/** Whether a day begins at an instant, though a clock change has skipped its midnight. */
function startsDay(zone: string, at: number): boolean {
  return localTimeAt(zone, at).day !== localTimeAt(zone, at - 1).day;
}
