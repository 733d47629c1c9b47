import type { Line, LineNumber } from './records.ts';

/**
 * Dialling lines with their numbers; deleted lines do not exist here.
 *
 * Errors: DATABASE_UNAVAILABLE from every method
 */
export interface LineStore {
  /** Newest first, at most `limit`; `total` counts all. */
  list(limit: number): Promise<{ rows: Line[]; total: number }>;
  /** `code_taken`: another line has the code. */
  create(fields: LineFields): Promise<Line | 'code_taken'>;
  /** Locks the line, asks `change` what it becomes and writes that; `change` may throw to leave it. Null when absent. */
  update(lineId: number, change: (current: Line) => LineFields): Promise<LineUpdate | 'code_taken' | null>;
  remove(lineId: number): Promise<LineRemoval>;
}

export type LineFields = Omit<Line, 'id' | 'createdAt' | 'updatedAt' | 'numbers'> & {
  /** In the order of rotation. A number that stays keeps its row. */
  numbers: readonly LineNumberFields[];
};

export type LineNumberFields = Omit<LineNumber, 'id'>;

export interface LineUpdate {
  before: Line;
  after: Line;
}

export type LineRemoval =
  | { kind: 'removed'; line: Line }
  | { kind: 'not_found' }
  /** Campaigns that are not archived, at most 20 of them. */
  | { kind: 'in_use'; campaigns: readonly { id: number; name: string }[] };
