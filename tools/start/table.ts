import type { Snapshot } from './snapshot.ts';
import { fit } from './text-width.ts';
import type { Words } from './words.ts';

export interface Access {
  url: string;
  username: string;
  password: string;
  /** Address at which agents' browser phones register. */
  phones: string;
}

export interface TableForm {
  /** Width of the terminal. */
  columns: number;
  words: Words;
}

/** Labels, borders and a few more columns. */
const MIN_COLUMNS = 24;
const MAX_COLUMNS = 110;
const BAR_COLUMNS = 30;
/** Control characters: text from a call must not send escape sequences to the terminal. */
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Renders the live table, one string per line, all of the same width. Pure: the caller draws it. */
export function renderTable(snapshot: Snapshot, access: Access, elapsedMs: number, { columns: terminal, words }: TableForm): string[] {
  const columns = Math.min(Math.max(terminal - 1, MIN_COLUMNS), MAX_COLUMNS);
  const { campaign, others, captions, monitors } = snapshot;
  const { labels, speakers } = words;
  const row = (label: string, text: string) => `│ ${fit(label, 10)} ${fit(text.replaceAll(CONTROL, ' '), columns - 15)} │`;
  return [
    frame('┌', `Callout  ${duration(elapsedMs)}`, '┐', columns),
    row(labels.address, words.address(access.url, access.username, access.password)),
    row(labels.campaign, `${campaign.name}  ${words.phase(campaign)}`),
    row(labels.progress, `${bar(campaign.progress)} ${(campaign.progress * 100).toFixed(1)} %`),
    row(labels.contacts, words.contacts(campaign)),
    ...others.map(other => row('', words.lineOf(other, words.phase(other)))),
    row(labels.calls, words.calls(snapshot, perSecond(snapshot))),
    ...(monitors ? [row(labels.people, words.people(monitors))] : []),
    frame('├', words.captions, '┤', columns),
    ...(captions.length === 0 ? [row('', words.noCaptions)] : captions.map(({ speaker, text }) => row(speakers[speaker] ?? speaker, text))),
    frame('└', words.stopHint, '┘', columns),
  ];
}

/** Renders a snapshot as one log line, without its time. */
export function renderLine(snapshot: Snapshot, words: Words): string {
  const latest = snapshot.captions.at(-1);
  const said = latest ? [words.says(words.speakers[latest.speaker] ?? latest.speaker, latest.text)] : [];
  return [words.line(snapshot, perSecond(snapshot)), ...campaignLines(snapshot, words), ...said].join(' | ').replaceAll(CONTROL, ' ');
}

/** One line for each running campaign, else for the demo's. */
export function campaignLines({ campaign, others }: Snapshot, words: Words): string[] {
  const running = [campaign, ...others].filter(({ status }) => status === 'running');
  return (running.length > 0 ? running : [campaign]).map(each => words.lineOf(each, words.phase(each)));
}

function perSecond({ dialledLastMinute }: Snapshot): string {
  return (dialledLastMinute / 60).toFixed(2);
}

function bar(progress: number): string {
  const full = Math.round(Math.min(Math.max(progress, 0), 1) * BAR_COLUMNS);
  return '█'.repeat(full) + '░'.repeat(BAR_COLUMNS - full);
}

export function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}

function frame(left: string, title: string, right: string, columns: number): string {
  const text = ` ${title} `;
  return `${left}─${fit(text, columns - 3).replace(/ +$/, blanks => '─'.repeat(blanks.length))}${right}`;
}
