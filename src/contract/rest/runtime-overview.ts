import { z } from 'zod';
import { batchRow } from './batches.ts';
import { flag01, isoInstant, rowId } from './fields.ts';
import { route } from './route.ts';
import { runtimeEventRow } from './runtime-events.ts';

const count = z.int().nonnegative();

const campaignProgress = z.object({
  campaignId: rowId,
  name: z.string(),
  status: z.string(),
  phase: z.string(),
  phaseReason: z.string().nullable(),
  nextWakeAt: isoInstant.nullable(),
  total: count,
  pending: count,
  submitted: count,
  completed: count,
  failed: count,
  paused: count,
  /** Of `failed`: those that will be dialled again. */
  awaitingRetry: count,
  /** Share of contacts that nothing is left to do for (completed, or failed for good), 0..1; 0 without contacts. */
  progress: z.number(),
});

const lineConcurrency = z.object({
  lineId: rowId,
  name: z.string(),
  code: z.string(),
  isEnabled: flag01,
  maxConcurrency: count,
  active: count,
});

/** `maxConcurrency` 0 = unlimited. */
const cellConcurrency = z.object({
  cellId: z.string(),
  maxConcurrency: count,
  active: count,
  isEnabled: flag01,
  state: z.enum(['connecting', 'up', 'down']),
});

/** Source: OCS 2.12 */
export const runtimeOverviewRoute = route({
  method: 'GET',
  path: '/api/runtime/overview',
  access: 'session',
  summary: '运行总览',
  data: z.object({
    activeContacts: count,
    stuckContacts: count,
    runningBatches: count,
    scheduler: z.object({ submittedLastMinute: count, failedLastMinute: count, completedBatchesLastMinute: count }),
    campaignProgress: z.array(campaignProgress),
    lineConcurrency: z.array(lineConcurrency),
    cellConcurrency: z.array(cellConcurrency),
    stuckBatches: z.array(batchRow),
    recentEvents: z.array(runtimeEventRow),
  }),
});
