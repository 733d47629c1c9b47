import { runRounds } from '#kernel/rounds.ts';
import { sendToChannel } from '#webhooks/send-to-channel.ts';
import type { Sql } from '#platform/postgres/database.ts';
import { exportMessage } from './decisions/run-message.ts';
import { doRun, failRun, type RunApp } from './do-run.ts';
import { claimRun, type ExportedRun, type FailedRun, keepSent, takeDue, takeExported } from './run-store.ts';
import { findReportChannel } from './schedule-store.ts';

/** Pause between two looks for due schedules, in ms. */
const LOOK_MS = 5_000;

/**
 * Runs schedules until the signal aborts. Every server looks: what is due is one server's by a lock, and a run whose server has died is
 * another's after its lease.
 *
 * Source: D14.8
 */
export function runSchedules(app: RunApp, signal: AbortSignal): Promise<void> {
  const looking = { intervalMs: LOOK_MS, failure: 'schedules could not be looked through; the next look retries' };
  return runRounds(app, looking, signal, () => scheduleRound(app, signal));
}

/** One look: makes the runs that are due, does what waits, and sends what has been exported. */
export async function scheduleRound(app: RunApp, signal: AbortSignal): Promise<void> {
  await takeDue(app.db, app.clock.now());
  let run = await claimRun(app.db, app.ids(), app.clock.now());
  while (run !== null) {
    await doRun(app, run);
    run = signal.aborted ? null : await claimRun(app.db, app.ids(), app.clock.now());
  }
  await sendExported(app);
}

async function sendExported(app: RunApp): Promise<void> {
  const failed = await app.db.transaction(async tx => {
    const unsent: { run: ExportedRun; why: FailedRun }[] = [];
    for (const run of await takeExported(tx)) {
      const why = await sendFile(app, tx, run);
      if (why !== null) unsent.push({ run, why });
    }
    return unsent;
  });
  for (const { run, why } of failed) await failRun(app, run, why);
}

/** Tells the channel of the file; returns why it cannot. */
async function sendFile(app: RunApp, tx: Sql, run: ExportedRun): Promise<FailedRun | null> {
  const { runId, file, jobState, jobMessage, channelId, ownerName } = run;
  if (jobState !== 'done' || file === null) return { reason: 'export_failed', message: jobMessage ?? '导出已取消，或其任务已删除' };
  const channel = await findReportChannel(tx, channelId);
  if (channel === null) return { reason: 'channel_gone', message: '推送端点已删除' };
  if (channel.status === 'disabled') return { reason: 'channel_disabled', message: `推送端点「${channel.name}」已停用` };
  const { publicUrl, jobKeptDays: keptDays } = app;
  const message = exportMessage({ ...run, ...file, owner: ownerName ?? '', keptDays, publicUrl });
  const deliveryId = await sendToChannel({ db: tx, ids: app.ids }, channelId, message);
  await keepSent(tx, runId, { rowCount: file.rows, deliveryId, at: app.clock.now() });
  return null;
}
