import type { Snapshot } from './snapshot.ts';
import { fit } from './text-width.ts';

export interface Access {
  url: string;
  username: string;
  password: string;
}

const MIN_COLUMNS = 60;
const MAX_COLUMNS = 110;
const BAR_COLUMNS = 30;
const SPEAKERS: Record<string, string> = { bot: '机器人', customer: '客户', agent: '坐席' };
/** Text from a call must not steer the terminal. */
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** The live table, one string a line, each of the same width. Pure: the caller draws it. */
export function renderTable(snapshot: Snapshot, access: Access, elapsedMs: number, terminalColumns: number): string[] {
  const columns = Math.min(Math.max(terminalColumns - 1, MIN_COLUMNS), MAX_COLUMNS);
  const { campaign, captions, monitors } = snapshot;
  const row = (label: string, text: string) => `│ ${fit(label, 10)} ${fit(text.replaceAll(CONTROL, ' '), columns - 15)} │`;
  return [
    frame('┌', `Callout  ${duration(elapsedMs)}`, '┐', columns),
    row('地址', `${access.url}   用户 ${access.username}   密码 ${access.password}`),
    row(
      '活动',
      `${campaign.name}  ${campaign.status}/${campaign.phase}${campaign.phaseReason === null ? '' : `  ${campaign.phaseReason}`}`,
    ),
    row('进度', `${bar(campaign.progress)} ${(campaign.progress * 100).toFixed(1)} %`),
    row(
      '联系人',
      `共 ${campaign.total}  待呼 ${campaign.pending}  呼叫中 ${campaign.submitted}  完成 ${campaign.completed}  未接通 ${campaign.failed}`,
    ),
    row(
      '通话',
      `进行中 ${snapshot.activeCalls}   每秒 ${perSecond(snapshot)}   已拨 ${snapshot.attempts}   交换机 ${snapshot.switchState}`,
    ),
    ...(monitors
      ? [
          row(
            '人工',
            `监听坐席 ${monitors.online}   正在监听 ${monitors.watching}   介入中 ${monitors.active}   已介入 ${monitors.claimed}`,
          ),
        ]
      : []),
    frame('├', '最新字幕', '┤', columns),
    ...(captions.length === 0
      ? [row('', '等待第一通电话的字幕 …')]
      : captions.map(({ speaker, text }) => row(SPEAKERS[speaker] ?? speaker, text))),
    frame('└', 'Ctrl-C 停止', '┘', columns),
  ];
}

/** The same in one line, for a log. */
export function renderLine(snapshot: Snapshot, elapsedMs: number): string {
  const { campaign, activeCalls, attempts, captions, monitors } = snapshot;
  const calls = `active ${activeCalls}, ${perSecond(snapshot)}/s, dialled ${attempts}`;
  const contacts = `completed ${campaign.completed}, failed ${campaign.failed}, pending ${campaign.pending} of ${campaign.total}`;
  const people = monitors ? `; monitors ${monitors.online}, interventions ${monitors.claimed}` : '';
  const latest = captions.at(-1);
  const words = latest ? ` | ${SPEAKERS[latest.speaker] ?? latest.speaker}：${latest.text.replaceAll(CONTROL, ' ')}` : '';
  return `${duration(elapsedMs)} ${campaign.status}/${campaign.phase} ${calls}; ${contacts}${people}${words}`;
}

function perSecond({ dialledLastMinute }: Snapshot): string {
  return (dialledLastMinute / 60).toFixed(2);
}

function bar(progress: number): string {
  const full = Math.round(Math.min(Math.max(progress, 0), 1) * BAR_COLUMNS);
  return '█'.repeat(full) + '░'.repeat(BAR_COLUMNS - full);
}

function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}

function frame(left: string, title: string, right: string, columns: number): string {
  const text = ` ${title} `;
  return `${left}─${fit(text, columns - 3).replace(/ +$/, blanks => '─'.repeat(blanks.length))}${right}`;
}
