import { describe, expect, test } from '@jest/globals';
import type { CellProcess } from './cell-process.ts';
import type { Edit } from './edits.ts';
import type { ExportFinding, ImportFinding } from './job-checks.ts';
import { type Evidence, judge } from './judge.ts';
import type { TakenMessage } from './receiver-process.ts';
import type { StoredAttempt } from './settle.ts';

const ANSWERED_AT = 100_000;

const edit = (kind: Edit['kind']): Edit => ({ kind, campaignId: 1, numbers: '131', answeredAt: ANSWERED_AT, liftedAt: null });
const attempt = (more: Partial<StoredAttempt> = {}): StoredAttempt => ({
  requestId: 'a',
  campaignId: 1,
  phoneNumber: '13100000001',
  status: 'completed',
  dialingAt: ANSWERED_AT - 1,
  hasResult: true,
  mark: 'a',
  ...more,
});

const ROWS = { rows: 2, digest: 'd' };
const IMPORT: ImportFinding = {
  jobId: 1,
  campaignId: 7,
  state: 'done',
  error: null,
  expected: { ...ROWS, refused: [3], repeated: 1 },
  found: { ...ROWS, ids: 2, refused: [3], counts: { totalRows: 4, createdRows: 2, failedRows: 1, leftOut: { repeated: 1 } } },
};
const EXPORT: ExportFinding = { jobId: 2, state: 'done', error: null, format: 'csv', reported: 2, expected: ROWS, found: ROWS };
const TAKEN: TakenMessage = {
  messageId: 'm',
  type: 'attempt.settled',
  key: 'a',
  sequence: 1,
  requestId: 'a',
  jobId: null,
  isSigned: true,
};

/** A cell that recorded the start of the dial `a`. */
function cellWith(
  startedAt: number,
  answered: { at: number; for: number } | null,
): Pick<CellProcess, 'id' | 'name' | 'seen' | 'unexpectedEnds'> {
  const variables = { callout_campaign_id: '1', origination_caller_id_number: '021' };
  const channel = {
    uuid: 'a',
    number: '13100000001',
    startedAt,
    answeredAt: answered?.at ?? null,
    endedAt: answered ? answered.at + answered.for : startedAt + 10,
    variables,
  };
  return {
    id: 'cell-1',
    name: 'cell-1',
    unexpectedEnds: [],
    seen: {
      id: 'cell-1',
      channels: new Map([['a', channel as never]]),
      originates: new Map(),
      repeated: [],
      totals: { originates: 1, channels: 1, answered: 1 },
      maxAtOnce: 1,
    },
  };
}

function evidence(
  more: {
    startedAt?: number;
    attempts?: StoredAttempt[];
    edits?: Edit[];
    acknowledged?: string[];
    answered?: { at: number; for: number };
    /** Times at which its runtime died, UTC ms. */
    lost?: number[];
    burned?: number;
  } = {},
): Evidence {
  const { startedAt = ANSWERED_AT - 1, attempts = [attempt()], acknowledged = ['a'] } = more;
  return {
    rig: {
      cells: [cellWith(startedAt, more.answered ?? null)] as never,
      servers: [],
      receiver: { name: 'the receiver', unexpectedEnds: [] } as never,
      runtime: {
        takes: new Map(acknowledged.map(id => [id, [ANSWERED_AT]])),
        losses: new Map((more.lost ?? []).map(at => ['a', [at]])),
        acknowledged: new Set(acknowledged),
      } as never,
    },
    load: {
      campaigns: [{ id: 1, maxConcurrency: 1, isEdited: true, prefix: '131' }],
      lineLimits: { '021': 1 },
      cellLimits: { 'cell-1': 1 },
    },
    faults: [],
    remains: { openAttempts: 0, submittedContacts: 0, slots: 0, outbox: 0, reports: 0, jobs: 0, deliveries: 0 },
    jobs: { imports: [IMPORT], exports: [EXPORT], missed: [], refusals: [], unowned: [] },
    webhooks: { taken: [TAKEN], receiverFaults: { killed: 1, failing: 1, slow: 1, silent: 1 }, settled: ['a'], endedJobs: [] },
    attempts,
    burned: more.burned ?? 0,
    edits: more.edits ?? [edit('do_not_call'), edit('policy'), edit('pause')],
    refused: 0,
    span: { startedAt: 0, endedAt: 200_000 },
    channelLimitMs: 3_000,
  };
}

describe('violations in a run', () => {
  test('a run that kept every promise has none', () => {
    expect(judge(evidence()).violations).toEqual([]);
  });

  test('the dialling rate of an edit is that of the two seconds around it', () => {
    expect(judge(evidence()).editRate).toEqual({ median: 0.5, best: 0.5 });
    expect(judge(evidence({ startedAt: ANSWERED_AT - 1_001 })).editRate).toEqual({ median: 0, best: 0 });
  });

  test('a dial decided more than 1 s after the response to an edit, whatever the switch recorded [D8.6]', () => {
    expect(judge(evidence({ attempts: [attempt({ dialingAt: ANSWERED_AT + 1_000 })] })).violations).toEqual([]);
    const { violations } = judge(evidence({ attempts: [attempt({ dialingAt: ANSWERED_AT + 1_001 })] }));
    expect(violations).toHaveLength(3);
    expect(violations[0]).toContain('decided 1001 ms after');
  });

  test('a channel at the switch later than the limit of the run', () => {
    expect(judge(evidence({ startedAt: ANSWERED_AT + 3_000 })).violations).toEqual([]);
    expect(judge(evidence({ startedAt: ANSWERED_AT + 3_001 })).violations).toHaveLength(3);
  });

  test('a kind of edit that was never confirmed', () => {
    expect(judge(evidence({ edits: [edit('do_not_call'), edit('policy')] })).violations).toEqual([
      'no pause edit was answered: nothing is shown of it',
    ]);
  });

  test('a result that the bus confirmed and PostgreSQL does not have [I6]', () => {
    expect(judge(evidence({ attempts: [attempt({ mark: null })] })).violations).toEqual([
      expect.stringMatching(/^result lost \(1\): a \(\w+, with a result\)$/),
    ]);
  });

  test('an answered customer without a runtime after 5 s [I9]', () => {
    const answered = { at: ANSWERED_AT + 1, for: 60_000 };
    expect(judge(evidence({ answered })).silence).toMatchObject({ answered: 1, calmMs: 0 });
    const left = evidence({ answered, acknowledged: [] });
    expect(judge(left).violations).toContain('an answered customer heard nobody for 60000 ms [I9]');
    expect(judge({ ...left, faults: [{ what: 'x', startedAt: ANSWERED_AT, endedAt: ANSWERED_AT + 58_000 }] }).violations).toEqual([]);
  });

  test('a customer whose runtime died and who has no other after 20 s [I9]', () => {
    const answered = { at: ANSWERED_AT + 1, for: 60_000 };
    const { violations, silence } = judge(evidence({ answered, lost: [ANSWERED_AT + 10_001] }));
    expect(silence.afterDeathMs).toBe(50_000);
    expect(violations).toEqual(['a customer whose runtime died heard nobody for 50000 ms [I9]']);
    expect(judge(evidence({ answered, lost: [ANSWERED_AT + 55_001] })).violations).toEqual([]);
  });

  test('a contact that lost an attempt through a fault of a runtime', () => {
    expect(judge(evidence({ burned: 2 })).violations).toEqual(["2 contacts lost attempts for a runtime's fault"]);
  });

  test('a channel without an attempt in PostgreSQL', () => {
    expect(judge(evidence({ attempts: [], acknowledged: [] })).violations).toEqual(['channel without an attempt (1): a']);
  });

  test('jobs, and a receiver that subscribes to calls and jobs, are judged with the rest', () => {
    const { jobs, webhooks, ...kept } = evidence();
    const lost = { ...IMPORT, found: { ...IMPORT.found, rows: 1, ids: 1 } };
    const unowned = [{ startedAt: 0, endedAt: 10_001 }];
    const { violations } = judge({
      ...kept,
      jobs: { imports: [lost], exports: [], missed: [5], refusals: ['503'], unowned },
      webhooks: { ...webhooks, taken: [], endedJobs: [{ id: 1, kind: 'import' }] },
    });
    expect(violations).toEqual([
      'nothing was exported: 503',
      'confirmed export that is not there (1): 5',
      'import 1 into campaign 7: 1 contacts, expected 2',
      'an open job had no owner for 10001 ms after its lease',
      'no message reached the receiver',
      'ended call of which no message came (1): a',
      'ended job of which no message came (1): import.completed 1',
    ]);
    const remains = { ...kept.remains, deliveries: 3 };
    expect(judge({ ...kept, jobs, webhooks, remains }).violations).toEqual(['not at rest: 3 deliveries']);
  });
});
