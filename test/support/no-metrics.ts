import type { Metrics } from '#platform/metrics.ts';

export const noMetrics: Metrics = {
  requestAnswered: () => undefined,
  dialed: () => undefined,
  callSettled: () => undefined,
  callServed: () => undefined,
  callUnserved: () => undefined,
  runtimeOffered: () => undefined,
  runtimesKnown: () => undefined,
  runtimePlaces: () => undefined,
  slotsInUse: () => undefined,
  queueDepth: () => undefined,
  cellState: () => undefined,
  dependencyState: () => undefined,
  messageDiscarded: () => undefined,
  retentionDeleted: () => undefined,
  streamsOpen: () => undefined,
};
