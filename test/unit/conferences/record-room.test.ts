import { expect, test } from '@jest/globals';
import { CalloutError } from '#kernel/errors.ts';
import { systemIds } from '#kernel/ids.ts';
import { silentLog } from '#kernel/log.ts';
import { sendToConference } from '#conferences/conference-actor.ts';
import type { ConferenceSession } from '#conferences/conference.ts';
import { keepRecording, recordConference, startRecording } from '#conferences/room.ts';
import type { SwitchEvent } from '#platform/freeswitch/switch.ts';
import { conferenceInMemory } from '#test/support/conference-host.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const NAME = 'callout-1';
const ROOM_BORN = { kind: 'conference', conferenceName: NAME, action: 'created' } as SwitchEvent;

/** `answers`: replies of the switch to each attempt; the last one repeats. */
async function rig(answers: readonly ('done' | 'absent' | 'away')[]) {
  const clock = manualClock();
  const listeners = new Set<(event: SwitchEvent) => void>();
  const seen = { tries: 0, url: null as string | null, alerts: [] as string[] };
  const session = {
    id: 1,
    kind: 'transfer',
    status: 'live',
    customerState: 'inside',
    conferenceName: NAME,
    cellId: 'cell-1',
    answeredAt: clock.now(),
    recordingUrl: null,
    recordingFailed: false,
    legs: [],
  } as unknown as ConferenceSession;
  const { app, now } = await conferenceInMemory(session, {
    clock,
    log: silentLog,
    ids: systemIds,
    conferenceSettings: { isRecording: true },
    rooms: {
      record: async () => {
        const answer = answers[Math.min(seen.tries, answers.length - 1)];
        seen.tries += 1;
        if (answer === 'away') throw new CalloutError('SWITCH_UNAVAILABLE', '交换机无应答');
        return answer;
      },
    },
    switchPort: {
      subscribe: (listener: (event: SwitchEvent) => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    conferences: { setRecording: async (_: number, url: string) => void (seen.url = url) },
    events: { record: async ({ level, type }: { level: string; type: string }) => void seen.alerts.push(`${level} ${type}`) },
  });
  // The address of a recording is written beside the actor.
  const row = async (): Promise<ConferenceSession> => {
    const known = (await now()) ?? session;
    return { ...known, recordingUrl: known.recordingFailed ? null : seen.url };
  };
  return { clock, app, listeners, row, seen, tell: (event: SwitchEvent) => listeners.forEach(listener => listener(event)) };
}

test('a missing room is awaited, and its creation event starts the recording at once [test/fixtures/esl/README.md §1a]', async () => {
  const { clock, app, listeners, row, seen, tell } = await rig(['absent', 'done']);
  const started = recordConference(app, await row(), startRecording);
  await clock.pass(0);
  expect([seen.tries, seen.url]).toEqual([1, null]);
  tell({ ...ROOM_BORN, conferenceName: 'callout-2' } as SwitchEvent);
  await clock.pass(0);
  expect(seen.tries).toBe(1);
  tell(ROOM_BORN);
  await started;
  expect([seen.tries, seen.url, listeners.size]).toEqual([2, `${NAME}.wav`, 0]);
});

test('a missed creation event delays the recording by a moment', async () => {
  const { clock, app, row, seen } = await rig(['absent', 'away', 'done']);
  const started = recordConference(app, await row(), startRecording);
  await clock.pass(1_000);
  await started;
  expect([seen.tries, seen.url]).toEqual([3, `${NAME}.wav`]);
});

test('a room that never appears is awaited for 6 s; the reconciliation retries for a minute and then raises one alert', async () => {
  const { clock, app, row, seen } = await rig(['absent']);
  const started = recordConference(app, await row(), startRecording);
  await clock.pass(10_000);
  await started;
  expect([seen.alerts, seen.tries > 10, seen.tries < 40]).toEqual([[], true, true]);
  await clock.pass(30_000);
  await recordConference(app, await row(), keepRecording);
  expect(seen.alerts).toEqual([]);
  await clock.pass(30_000);
  await recordConference(app, await row(), keepRecording);
  await recordConference(app, await row(), keepRecording);
  expect(seen.alerts).toEqual(['error conference.recording_failed']);
});

test('a recording that the switch cannot write loses its URL, raises one alert and is not retried', async () => {
  const { app, row, seen } = await rig(['done']);
  await recordConference(app, await row(), startRecording);
  await sendToConference(app, 1, { type: 'recordingLost' });
  await sendToConference(app, 1, { type: 'recordingLost' });
  await recordConference(app, await row(), keepRecording);
  expect(await row()).toMatchObject({ recordingUrl: null, recordingFailed: true });
  expect(seen).toMatchObject({ tries: 1, alerts: ['error conference.recording_failed'] });
});
