import { expect, test } from '@jest/globals';
import { SKIP_REASON_TEXTS, SKIP_REASONS } from '#campaigns/decisions/skip-reason.ts';

test('every reason of the interface, and blacklist, has a Chinese text [D7.10]', () => {
  expect(new Set(SKIP_REASONS)).toEqual(
    new Set([
      'dnc',
      'blacklist',
      'blocked_date',
      'outside_window',
      'frequency_cap',
      'consent_missing',
      'abandonment_limit',
      'abandoned_recently',
      'interval',
      'retry_wait',
      'callback',
      'not_before',
      'not_after_passed',
      'in_call_elsewhere',
      'line_full',
      'number_full',
      'number_cap',
      'cell_full',
      'campaign_full',
      'no_monitor',
      'no_runtime',
      'runtime_full',
      'switch_unreachable',
      'pre_dial_hook',
      'paused',
      'attempts_exhausted',
      'invalid_number',
      'short_code',
    ]),
  );
  for (const reason of SKIP_REASONS) expect(SKIP_REASON_TEXTS[reason]).toMatch(/[\u4e00-\u9fff]/);
});
