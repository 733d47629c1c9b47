import { z } from 'zod';
import { route } from '#platform/http/route.ts';

/** Prometheus text without an envelope; `internal` requires the internal token. */
export function metricsRoute(access: 'public' | 'internal') {
  return route('GET /metrics', access, 'Prometheus 指标', { data: z.never() });
}
