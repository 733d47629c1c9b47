import type { Clock } from '#kernel/clock.ts';
import type { StartCommand } from '#protocol/hand-over.ts';
import type { RuntimeReportKind } from '#protocol/subjects.ts';
import { type CallEnding, type CallRecord, resultOf } from './call-record.ts';
import type { Segment } from './conversation.ts';
import type { NatsLink } from './nats-link.ts';
import type { ReportOutbox } from './report-outbox.ts';
import type { InterventionFacts } from '#scripts/decisions/flow/walk-scope.ts';

export interface CallReportDeps {
  link: Pick<NatsLink, 'publish'>;
  outbox: Pick<ReportOutbox, 'send'>;
  clock: Clock;
  runtimeId: string;
}

/** Reports of one call to the server, each with the runtime's id and the epoch of its hand-over. Source: A4, D9.1 */
export interface CallReports {
  /** All utterances, for the transcript. */
  segments: readonly Segment[];
  started(at: number): void;
  caption(segment: Segment): void;
  intervention(id: string, status: 'active' | 'ended' | 'failed', facts?: InterventionFacts): void;
  ended(at: number, ending: CallEnding): void;
  result(record: Omit<CallRecord, 'segments'>): void;
  epoch(): number | undefined;
  /** Continues under a newer epoch after another hand-over to this runtime; the start, and reports of the end under an older epoch, are sent again. */
  adopt(epoch: number): void;
  /** Stops all reports, retries included, because another runtime owns the call. */
  fallSilent(): void;
  isSilent(): boolean;
}

type Told = { kind: RuntimeReportKind; body: object };

export function createCallReports({ link, outbox, clock, runtimeId }: CallReportDeps, offer: StartCommand): CallReports {
  const { requestId, attemptId } = offer;
  const segments: Segment[] = [];
  const told: Told[] = [];
  const silence = new AbortController();
  let { epoch } = offer;
  let seq = 0;
  const owned = (body: object) => ({ requestId, attemptId, runtimeId, ...(epoch === undefined ? {} : { epoch }), ...body });
  const event = ({ at, ...fields }: CallEventFields) => ({ at: new Date(at).toISOString(), ...fields });
  const send = (kind: RuntimeReportKind, body: object, number = 0) => {
    if (!silence.signal.aborted) outbox.send(kind, requestId, owned(body), { seq: number, epoch, unless: silence.signal });
  };
  const tell = (report: Told) => {
    told.push(report);
    send(report.kind, report.body);
  };
  return {
    segments,
    started: at => tell({ kind: 'started', body: event({ kind: 'started', seq: 0, at }) }),
    caption(segment) {
      keepSegment(segments, segment);
      if (silence.signal.aborted) return;
      const { nodeId, ...spoken } = segment;
      // A late caption is useless: without the bus it is dropped, and the transcript of the result contains it.
      link.publish(offer.captionSubject, owned(event({ kind: 'segment', seq: ++seq, at: clock.now(), nodeId, segment: spoken })));
    },
    intervention(id, status, { agentId = null, reason = null } = {}) {
      seq += 1;
      send('intervention', event({ kind: 'intervention', seq, at: clock.now(), intervention: { id, status, agentId, reason } }), seq);
    },
    ended(at, { how, cause }) {
      const nodeId = segments.at(-1)?.nodeId || null;
      const reason = how === 'no_script' ? { endReason: 'no_script' as const } : {};
      tell({ kind: 'ended', body: event({ kind: 'ended', seq: ++seq, at, nodeId, hangupCause: cause, ...reason }) });
    },
    result: record => tell({ kind: 'result', body: resultOf({ ...record, segments }) }),
    epoch: () => epoch,
    adopt(newer) {
      epoch = newer;
      for (const { kind, body } of told) send(kind, body);
    },
    fallSilent: () => silence.abort(),
    isSilent: () => silence.signal.aborted,
  };
}

/** A newer text of an utterance replaces the older one (D9.1). */
function keepSegment(segments: Segment[], segment: Segment): void {
  const place = segments.findLastIndex(({ segmentId }) => segmentId === segment.segmentId);
  if (place < 0) segments.push(segment);
  else segments[place] = segment;
}

/** A progress event as sent. Source: D9.1 */
interface CallEventFields {
  kind: 'started' | 'segment' | 'intervention' | 'ended';
  seq: number;
  at: number;
  nodeId?: string | null;
  segment?: Omit<Segment, 'nodeId'>;
  hangupCause?: string;
  endReason?: 'no_script';
  intervention?: { id: string; status: string; agentId: number | null; reason: string | null };
}
