import type { Platform } from '#platform/platform.ts';
import type { NewRuntimeEvent, RuntimeEventsPart } from '#runtime-events/runtime-event-store.ts';
import { markAlarmsTold, PAGE, readAnswers, type UntoldAlarm, untoldAlarms } from './number-answers.ts';
import { runRounds } from '#kernel/rounds.ts';

const INTERVAL_MS = 15_000;
/** Pages of attempts read in a row. */
const MAX_PAGES = 20;
/** Most alarms reported in one round. */
const CHUNK = 100;

type WatchApp = RuntimeEventsPart & Pick<Platform, 'db' | 'wake' | 'clock' | 'log'>;

/**
 * Watches how often each caller number is answered beside the others of its line, until the signal aborts.
 *
 * Why:    an event is recorded after the commit that raised its alarm, once, by whichever instance looks first
 * Source: D4.9
 */
export async function watchAnswers(app: WatchApp, signal: AbortSignal): Promise<void> {
  await runRounds(app, { intervalMs: INTERVAL_MS, failure: 'answers by caller number could not be read; tried again' }, signal, () =>
    lookAtAnswers(app),
  );
}

export async function lookAtAnswers(app: WatchApp): Promise<void> {
  for (let page = 0; page < MAX_PAGES; page += 1) if ((await readAnswers(app.db)) < PAGE) break;
  const untold = await untoldAlarms(app.db, CHUNK);
  for (const alarm of untold) await app.events.record(alarmEvent(alarm));
  if (untold.length > 0) await markAlarmsTold(app.db, untold);
}

function alarmEvent({ numberId, lineId, lineName, number, alarm }: UntoldAlarm): NewRuntimeEvent {
  const { action, at, since, dials, answered, expected } = alarm;
  const usual = Math.round(expected);
  const evidence = `尾号 ${number.slice(-SHOWN)}：${dials} 次呼叫接通 ${answered} 次，同线路其他号码同时段应接通约 ${usual} 次`;
  return {
    level: 'warning',
    type: 'number.few_answers',
    title: `线路「${lineName}」的号码接通率明显偏低${action === 'rest' ? '，已自动休息' : '，请决定是否休息'}`,
    message: evidence,
    detail: { action, line: lineName, lineId, numberId, numberEnding: number.slice(-SHOWN), since, at, dials, answered, expected: usual },
    dedupeKey: `number.few_answers:${numberId}:${at}`,
  };
}

/** Events hold no phone number: its last digits tell it from the others of the line. */
const SHOWN = 4;
