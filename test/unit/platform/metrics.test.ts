import { expect, test } from '@jest/globals';
import { createMetrics } from '#platform/metrics.ts';

const ROUTES = 110;
const STATUSES = [200, 400, 401, 403, 404, 409, 413, 415, 429, 500, 503];
const MAX_KIB = 220;

test('the metrics page stays small when every route has returned every status', async () => {
  const metrics = createMetrics();
  for (let route = 0; route < ROUTES; route++) {
    for (const status of STATUSES) {
      metrics.requestAnswered({ method: 'POST', route: `/api/campaigns/:id/some-longer-name/${route}`, status, seconds: 0.2 });
    }
  }
  const { body } = await metrics.expose();
  expect(body.length / 1_024).toBeLessThan(MAX_KIB);
  expect(body).toMatch(/^callout_http_requests_total\{method="POST",route="\/api\/campaigns\/:id\/some-longer-name\/7",status="503"\} 1$/m);
});
