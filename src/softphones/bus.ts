import { softphoneReport } from '#protocol/softphones.ts';
import { SOFTPHONE_REPORT_SUBJECTS } from '#protocol/subjects.ts';
import { errorFields, invalidArgument, isCalloutError, notFound } from '#kernel/errors.ts';
import { isUuid } from '#kernel/ids.ts';
import { limitedLog } from '#kernel/log.ts';
import { applySoftphoneReport } from './session-events.ts';
import type { Bus, BusMessage } from '#platform/nats/bus.ts';
import { parseMessage } from '#platform/nats/requests.ts';
import { proofFault, requireProven } from '#platform/nats/proof.ts';
import type { App } from '#app/app.ts';

const QUEUE = 'callout-server';

/** Serves the runtime's reports about browser phones. Returns a function that stops it. Source: A4, D12.4 */
export function serveSoftphoneReports(app: App, bus: Bus): () => void {
  const log = limitedLog(app.log, app.clock);
  const take = async (message: BusMessage) => {
    requireProven(proofFault(app, message));
    const { subject, body } = message;
    const sessionId = subject.split('.')[3] ?? '';
    const report = parseMessage(softphoneReport, body);
    if (report.sessionId !== undefined && report.sessionId.toLowerCase() !== sessionId.toLowerCase())
      throw invalidArgument('sessionId', 'unlikeSubject');
    if (!isUuid(sessionId)) throw notFound('网页话机会话');
    await applySoftphoneReport(app, sessionId, report);
  };
  return bus.subscribe(SOFTPHONE_REPORT_SUBJECTS, { queue: QUEUE }, message => {
    take(message).catch((error: unknown) => {
      const { subject, body } = message;
      log.warn({ ...errorFields(error), subject }, 'a softphone report could not be applied');
      app.metrics.messageDiscarded('softphone', isCalloutError(error) ? error.code : 'INTERNAL');
      app.rejections.publish({ inbound: 'softphone', subject, body, requestId: null, error });
    });
  });
}
