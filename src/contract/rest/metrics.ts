import { z } from 'zod';
import { route } from './route.ts';

/** Prometheus text, not enveloped. `internal` asks for the internal token. */
export function metricsRoute(access: 'public' | 'internal') {
  return route('GET /metrics', access, 'Prometheus 指标', { data: z.never() });
}
