import type { NewRuntimeEvent } from '#runtime-events/runtime-event-store.ts';
import type { DueCheck } from '../check-store.ts';
import type { RecordingFound, Verdict } from './judge-recording.ts';

type Checked = Pick<DueCheck, 'attemptId' | 'campaignId' | 'cellId' | 'talkSeconds'>;

const MS_PER_HOUR = 3_600_000;

interface Judged {
  verdict: Verdict;
  found: RecordingFound;
  /** UTC ms. */
  now: number;
}

/**
 * What operators are told of a recording; null where there is nothing to tell.
 *
 * Why:    `detail.kind` keeps apart what neighbours in a folded list may differ in (D14.5). Of a place that gives no answer every recording is out of
 *         reach, so that is told once in an hour and cell
 * Source: D7.20
 */
export function incompleteEvent(checked: Checked, { verdict, found, now }: Judged): NewRuntimeEvent | null {
  if (verdict === 'complete') return null;
  const { attemptId, campaignId, cellId, talkSeconds } = checked;
  const about = {
    level: 'warning',
    type: 'call.recording_incomplete',
    title: '通话录音不完整',
    message: messageOf(verdict, talkSeconds, found),
    cellId,
  } as const;
  const seconds = found.kind === 'sound' ? found.seconds : null;
  if (verdict === 'unknown')
    return { ...about, detail: { kind: verdict }, dedupeKey: `recording:${cellId}:${Math.floor(now / MS_PER_HOUR)}` };
  return {
    ...about,
    campaignId,
    attemptId,
    detail: { kind: verdict, talkSeconds, recordedSeconds: seconds },
    dedupeKey: `recording:${attemptId}:${verdict}`,
  };
}

function messageOf(verdict: Verdict, talkSeconds: number, found: RecordingFound): string {
  if (verdict === 'missing') return '录音文件不存在';
  if (verdict === 'silent') return '录音全程无声';
  if (found.kind !== 'sound') return '存放录音之处没有应答，或本服务器不能访问';
  return found.seconds === null ? '录音的格式无法检查' : `录音 ${Math.round(found.seconds)} 秒，通话 ${talkSeconds} 秒`;
}
