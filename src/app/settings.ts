import type { DispatchSettings } from '#dialling/settings.ts';
import type { RetentionLimits } from '#privacy/retention.ts';
import type { CellMedia } from '#protocol/hand-over.ts';
import type { RecordingPlace, RecordingStoreOptions } from '#recordings/recording-store.ts';
import type { Config } from '#platform/config/shape.ts';

const DEFAULT_ORIGINATE_TIMEOUT_S = 30;

/** Dispatcher settings from the configuration. */
export function dispatchSettings({ server, dispatch, cells }: Config): DispatchSettings {
  const { circuitBreaker, runtimeCare } = dispatch;
  const timeouts = new Map(cells.map(cell => [cell.id, cell.originateTimeoutSeconds]));
  return {
    timeZone: server.timezone,
    region: server.region,
    allowedShortCodes: dispatch.allowedShortCodes,
    instanceId: server.instanceId,
    batchSize: dispatch.batchSize,
    sendDeadlineMs: dispatch.sendDeadlineMs,
    manualWaitMs: dispatch.manualWaitMs,
    graceMs: dispatch.graceMs,
    resultGraceMs: dispatch.resultGraceSeconds * 1_000,
    runtime: dispatch.runtime,
    care: {
      maxUnanswered: runtimeCare.maxUnansweredStarts,
      maxSilent: runtimeCare.maxSilentCalls,
      maxUnserved: runtimeCare.maxUnservedCustomers,
      firstWordMs: runtimeCare.firstWordSeconds * 1_000,
      silenceMs: runtimeCare.silenceSeconds * 1_000,
    },
    reservationLeaseMs: dispatch.reservationLeaseMs,
    lockTtlMs: dispatch.lockTtlMs,
    breaker: {
      minimumDials: circuitBreaker.minimumDials,
      failureShare: circuitBreaker.failurePercent / 100,
      windowMs: circuitBreaker.windowSeconds * 1_000,
      firstPauseMs: circuitBreaker.firstPauseSeconds * 1_000,
      longestPauseMs: circuitBreaker.longestPauseSeconds * 1_000,
      probeDials: circuitBreaker.probeDials,
    },
    ringbackTimeoutMs: dispatch.ringbackDetection.enabled ? dispatch.ringbackDetection.timeoutMs : null,
    originateTimeoutSeconds: cellId => timeouts.get(cellId) ?? DEFAULT_ORIGINATE_TIMEOUT_S,
  };
}

/** How runtimes reach the media of each cell. */
export function cellMedia({ cells }: Pick<Config, 'cells'>): (cellId: string) => CellMedia {
  const media = new Map(cells.map(cell => [cell.id, cell.media]));
  return cellId => media.get(cellId) ?? {};
}

/** Retention periods by kind, days. */
export function retentionLimits({ retention }: Pick<Config, 'retention'>): RetentionLimits {
  return {
    transcripts: retention.transcriptsDays,
    recordings: retention.recordingsDays,
    attempts: retention.attemptsDays,
    audit: retention.auditDays,
    events: retention.eventsDays,
  };
}

/** Source: OCS 4.16 */
export function mediaOf({ media, cells }: Config) {
  const withPrefix = cells.filter(cell => cell.recordingBaseUrl !== '');
  const { baseUrl, switchRecordingBaseUrl, emotionAudioBaseUrl } = media;
  const switchRecordingBaseUrlsByCell = Object.fromEntries(withPrefix.map(cell => [cell.id, cell.recordingBaseUrl]));
  return { baseUrl, switchRecordingBaseUrl, switchRecordingBaseUrlsByCell, emotionAudioBaseUrl };
}

/** Recordings of a cell with an address are requested there; all others are in a folder of this machine (OCS 4.16). */
export function recordingPlaces({ media, cells }: Pick<Config, 'media' | 'cells'>): Omit<RecordingStoreOptions, 'log'> {
  const places = cells.map(({ id, recordingBaseUrl: baseUrl, recordingFolder: folder, recordingRemoval }): [string, RecordingPlace] => [
    id,
    baseUrl === '' ? { folder } : { baseUrl, isAskedToDelete: recordingRemoval === 'delete' },
  ]);
  const { switchRecordingBaseUrl: baseUrl } = media;
  return { cells: new Map(places), withoutCell: baseUrl === '' ? null : { baseUrl } };
}
