import { useState } from 'react';
import { formatPhone } from '../text/phone-number.ts';
import { RefusedError } from '../api/refused-error.ts';
import type { ChangedFragment } from './bulk.generated.ts';

/** Most skipped rows that the server names per command. */
const MOST_NAMED = 100;

/** A row that was skipped, with the reason. */
export interface LeftRow {
  name: string;
  why: string;
}

/** Result of one action on many rows. */
export interface BulkOutcome {
  done: number;
  /** Number of skipped rows, including those without a stated reason. */
  left: number;
  reasons: readonly LeftRow[];
}

/** Reports how many rows are done. */
export type ReportProgress = (done: number) => void;

interface NamedRow {
  databaseId: string;
  campaignId: string;
  name: string;
}

/** Sends one command per campaign for its rows; a refusal of one campaign does not stop the others. */
export async function ofEachCampaign(
  rows: readonly NamedRow[],
  act: (campaignId: string, databaseIds: readonly string[]) => Promise<object | null | undefined>,
): Promise<BulkOutcome> {
  const outcomes: BulkOutcome[] = [];
  for (const [campaignId, those] of Map.groupBy(rows, row => row.campaignId)) {
    const names = new Map(those.map(({ databaseId, name }) => [databaseId, name]));
    const answer = act(campaignId, [...names.keys()]).then(result => outcomeOf(result, names));
    outcomes.push(await answer.catch((error: Error) => allLeft(names, error.message)));
  }
  return {
    done: outcomes.reduce((sum, { done }) => sum + done, 0),
    left: outcomes.reduce((sum, { left }) => sum + left, 0),
    reasons: outcomes.flatMap(({ reasons }) => reasons),
  };
}

/** Converts the response of a bulk command; throws when the server refuses the whole command. */
export function outcomeOf(result: object | null | undefined, names: ReadonlyMap<string, string>): BulkOutcome {
  const { affected = 0, skipped = 0, left = [], message } = Object(result) as Partial<ChangedFragment> & { message?: string };
  if (message !== undefined) throw new RefusedError(message);
  return {
    done: affected,
    left: skipped,
    reasons: left.map(row => ({ name: names.get(row.databaseId) ?? row.databaseId, why: row.message })),
  };
}

/** Sends one command per row, one after the other; a refusal of one row does not stop the others. */
export async function oneByOne<Row extends { phoneNumber: string }>(
  rows: readonly Row[],
  act: (row: Row) => Promise<string | null>,
  report: ReportProgress,
): Promise<BulkOutcome> {
  const left: LeftRow[] = [];
  for (const [index, row] of rows.entries()) {
    const why = await act(row);
    if (why !== null) left.push({ name: formatPhone(row.phoneNumber), why });
    report(index + 1);
  }
  return { done: rows.length - left.length, left: left.length, reasons: left };
}

function allLeft(names: ReadonlyMap<string, string>, why: string): BulkOutcome {
  return { done: 0, left: names.size, reasons: [...names.values()].slice(0, MOST_NAMED).map(name => ({ name, why })) };
}

export interface Bulk {
  /** Rows done so far while an action runs. */
  progress: number | null;
  outcome: BulkOutcome | null;
  dismiss: () => void;
  /** Resolves to the reason why the whole action failed, or to null. */
  run: (act: (report: ReportProgress) => Promise<BulkOutcome>) => Promise<string | null>;
}

/** Runs one action at a time; its result stays until it is dismissed or the next one begins. */
export function useBulk(over: () => void): Bulk {
  const [progress, setProgress] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null);
  return {
    progress,
    outcome,
    dismiss: () => setOutcome(null),
    async run(act) {
      setOutcome(null);
      setProgress(0);
      try {
        setOutcome(await act(setProgress));
        over();
        return null;
      } catch (error) {
        return (error as Error).message;
      } finally {
        setProgress(null);
      }
    },
  };
}
