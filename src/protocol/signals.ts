import { z } from 'zod';
import { rowId } from '#kernel/fields.ts';

/**
 * A change of a live call, published for dashboards; a gap in `version` means that deltas were lost. Units: `at` UTC ms. Source: A1.5, A4
 */
export const liveDelta = z
  .object({
    requestId: z.uuid(),
    campaignId: rowId,
    kind: z.enum(['call-started', 'call-changed', 'segment', 'assignment', 'intervention', 'intent-alert', 'call-ended']),
    version: z.int().nonnegative(),
    at: z.int().meta({ description: 'UTC 毫秒' }),
    data: z.record(z.string(), z.json()),
  })
  .meta({ id: 'LiveDelta', description: '通话快照的增量' });

/** Announces a change without its content; receivers read the new state from its store. */
export const emptySignal = z.object({}).meta({ id: 'Signal', description: '只表示有变化，不带内容' });

export const sessionsEnded = z
  .object({ sessionIds: z.array(z.string().max(100)).max(10_000) })
  .meta({ id: 'SessionsEnded', description: '已失效的登录会话' });
