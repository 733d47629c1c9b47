import { type Clock, sleep } from '#kernel/clock.ts';
import { isCalloutError } from '#kernel/errors.ts';
import type { ConferenceSession } from '#ports/conference-store.ts';
import type { SwitchEvent } from '#ports/switch.ts';
import type { ConferenceDeps } from './deps.ts';

/** A room that somebody was sent into may be this late: without an RTP timer and without RTP it takes 5 s, ms. */
const BIRTH_MS = 6_000;
/** An event of the room that is lost costs this, ms. */
const RETRY_MS = 250;
/** A recording that the switch has refused for so long since the first answer is given up, ms. */
const PATIENCE_MS = 60_000;

type Room = ConferenceSession & { cellId: string };

/**
 * Has the conference recorded, once its room is there. A call whose conference cannot be recorded goes on, and an alert is raised.
 *
 * Why:    the switch says yes to a transfer before the room exists, and refuses every command for it until then; asked again for a recording that
 *         runs, it says so
 * Source: test/fixtures/esl/README.md §1a "room not yet there"
 */
export async function startRecording(deps: ConferenceDeps, session: ConferenceSession): Promise<void> {
  if (!isWanted(deps, session)) return;
  const until = deps.clock.monotonic() + BIRTH_MS;
  const birth = watchRoom(deps, session);
  try {
    while (!(await record(deps, session))) {
      if (deps.clock.monotonic() >= until) return await refused(deps, session);
      await birth.changed();
    }
  } finally {
    birth.stop();
  }
}

/** One try for a conference whose room is there and that is not recorded. */
export async function keepRecording(deps: ConferenceDeps, session: ConferenceSession): Promise<void> {
  const isThere = session.kind === 'session' ? session.status === 'live' : session.customerState !== 'outside';
  if (isThere && isWanted(deps, session) && !(await record(deps, session))) await refused(deps, session);
}

export async function stopRecording(
  { rooms, log }: ConferenceDeps,
  { cellId, conferenceName, recordingUrl }: ConferenceSession,
): Promise<void> {
  if (cellId === null || recordingUrl === null) return;
  try {
    await rooms.record(cellId, conferenceName, null);
  } catch (error) {
    log.warn({ err: error, cellId }, 'a recording could not be stopped; it ends with its conference');
  }
}

/** The switch reports that it writes nothing: the address is of no file. */
export async function recordingFailed(deps: ConferenceDeps, conferenceName: string): Promise<void> {
  const id = await deps.conferences.failRecording(conferenceName);
  if (id === null) return;
  const session = await deps.conferences.find(id);
  await alert(deps, conferenceName, session, '交换机无法写入录音文件，请检查录音目录的权限和磁盘空间');
}

function isWanted({ conferenceSettings }: ConferenceDeps, session: ConferenceSession): session is Room {
  return conferenceSettings.isRecording && session.cellId !== null && session.recordingUrl === null && !session.recordingFailed;
}

async function record({ rooms, conferences, log }: ConferenceDeps, { id, cellId, conferenceName }: Room): Promise<boolean> {
  const file = `${conferenceName}.wav`;
  try {
    if ((await rooms.record(cellId, conferenceName, file)) !== 'done') return false;
  } catch (error) {
    if (!isCalloutError(error, 'SWITCH_UNAVAILABLE')) throw error;
    log.debug({ err: error, conferenceId: id }, 'a conference is not recorded yet');
    return false;
  }
  await conferences.setRecording(id, file);
  return true;
}

/** The next look at the conference tries again, until it has been long enough. */
async function refused(deps: ConferenceDeps, session: Room): Promise<void> {
  const { id, conferenceName, answeredAt } = session;
  deps.log.warn({ conferenceId: id }, 'a conference is not recorded: the switch refuses');
  if (deps.clock.now() - (answeredAt ?? deps.clock.now()) < PATIENCE_MS) return;
  if ((await deps.conferences.failRecording(conferenceName)) !== null) await alert(deps, conferenceName, session, '交换机一直拒绝录音命令');
}

async function alert({ events }: ConferenceDeps, name: string, session: ConferenceSession | null, message: string): Promise<void> {
  await events.record({
    level: 'error',
    type: 'conference.recording_failed',
    title: '会议未能录音',
    message,
    campaignId: session?.campaignId ?? null,
    attemptId: session?.attemptId ?? null,
    cellId: session?.cellId ?? null,
    detail: { conferenceId: session?.id ?? null },
    dedupeKey: `recording:${name}`,
  });
}

/** Wakes with each event of the room, and from time to time without one. */
function watchRoom({ switchPort, clock }: Pick<ConferenceDeps, 'switchPort'> & { clock: Clock }, { conferenceName }: ConferenceSession) {
  let wake = new AbortController();
  const stop = switchPort.subscribe((event: SwitchEvent) => {
    if (event.kind === 'conference' && event.conferenceName === conferenceName) wake.abort();
  });
  return {
    stop,
    async changed() {
      await sleep(clock, RETRY_MS, wake.signal);
      wake = new AbortController();
    },
  };
}
