import { softphoneReport } from '#contract/nats/softphone.ts';
import { SOFTPHONE_REPORT_SUBJECTS } from '#contract/nats/subjects.ts';
import { isUuid } from '#kernel/ids.ts';
import type { Log } from '#kernel/log.ts';
import type { SoftphoneSessionDeps } from '#operations/softphone-sessions/deps.ts';
import { takeSoftphoneReport } from '#operations/softphone-sessions/take-report.ts';
import type { Bus, BusMessage } from '#ports/bus.ts';
import { parseMessage } from './parse-message.ts';

const QUEUE = 'callout-server';

/** What the runtime tells of browser phones. Returns how to stop. Source: A4, D12.4 */
export function serveSoftphoneReports(deps: SoftphoneSessionDeps & { log: Log }, bus: Bus): () => void {
  const take = async ({ subject, body }: BusMessage) => {
    const sessionId = subject.split('.')[3] ?? '';
    if (isUuid(sessionId)) await takeSoftphoneReport(deps, sessionId, parseMessage(softphoneReport, body));
  };
  return bus.subscribe(SOFTPHONE_REPORT_SUBJECTS, { queue: QUEUE }, message => {
    take(message).catch((error: unknown) =>
      deps.log.warn({ err: error, subject: message.subject }, 'a report of a softphone was not taken'),
    );
  });
}
