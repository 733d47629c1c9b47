import type { z } from 'zod';
import { type Caller, permissionSetOf, ROLE_KEYS } from '#kernel/caller.ts';
import type { JsonValue } from '#kernel/json.ts';
import type { Sql } from '#platform/postgres/database.ts';

/** How far a job has come, in units that its kind chooses: rows, as a rule. */
export interface JobProgress {
  done?: number;
  /** Null while it is unknown. */
  total?: number | null;
}

/** Result of a step: either the `cursor` from which the next step starts, or the `result` that ends the job. */
export type StepEnd<Cursor> = JobProgress & ({ cursor: Cursor } | { result: JsonValue });

/**
 * Writes a step's changes in the transaction that keeps its cursor, and returns its end.
 *
 * Why: either both are there or neither, and the transaction is refused when the job was cancelled or another server has taken it. A
 *      deadlock runs it again, so it has no effects outside the transaction
 */
export type StepWrite<Cursor> = (tx: Sql) => StepEnd<Cursor> | Promise<StepEnd<Cursor>>;

export interface StepTools {
  /** Aborts when the job was cancelled, another server has taken it, or this server stops. */
  signal: AbortSignal;
  /** Shows progress within a step; kept with the next renewal of the lease. */
  report(progress: JobProgress): void;
}

/** A job as its step sees it; `cursor` is null before the first step. */
export interface JobInHand<Input, Cursor> {
  id: number;
  owner: Caller;
  input: Input;
  cursor: Cursor | null;
}

/** Defines one kind of job. The row keeps `input` and `cursor` as plain JSON; these schemas parse them. */
export interface JobDefinition<Input, Cursor> {
  kind: string;
  input: z.ZodType<Input>;
  cursor: z.ZodType<Cursor>;
  /**
   * One bounded step, about a second of work. It reads and computes first, then returns what it writes.
   *
   * Why:    after a crash the step is done again from the same cursor, so what it does outside the returned write must be safe to repeat
   * Errors: a CalloutError that is not retryable fails the job and is shown; others are retried, at most ten times in a row
   */
  step(job: JobInHand<Input, Cursor>, tools: StepTools): Promise<StepWrite<Cursor>>;
  /** Removes what the job has left outside the database: called after it failed or was cancelled, and before its row is deleted. Repeatable. */
  discard?(job: JobInHand<Input, Cursor>): Promise<void>;
}

/** The row of a job that a server has claimed. */
export interface ClaimedJob {
  id: number;
  kind: string;
  input: unknown;
  cursor: unknown;
  owner: JobOwner;
  leaseToken: string;
}

/** The caller who started the job, as the row keeps it: audit entries of the job name this user. */
export interface JobOwner extends Pick<Caller, 'userId' | 'name' | 'displayName' | 'ip' | 'traceId'> {
  role: string;
}

/** A kind of job whose types are known only inside. */
export interface JobKind {
  kind: string;
  /** Reads input and cursor once; each call of the returned function is the next step. */
  take(job: ClaimedJob): (tools: StepTools) => Promise<StepWrite<JsonValue>>;
  discard(job: ClaimedJob): Promise<void>;
}

export function jobKind<Input, Cursor extends JsonValue>(definition: JobDefinition<Input, Cursor>): JobKind {
  const inHand = ({ id, owner, input, cursor }: ClaimedJob): JobInHand<Input, Cursor> => ({
    id,
    owner: callerOf(owner),
    input: definition.input.parse(input),
    cursor: cursor === null ? null : definition.cursor.parse(cursor),
  });
  return {
    kind: definition.kind,
    take(claimed) {
      const job = inHand(claimed);
      return async tools => {
        const write = await definition.step({ ...job }, tools);
        return async tx => {
          const end = await write(tx);
          // A failed commit ends this run of the job, and the next begins with the cursor of the row.
          if ('cursor' in end) job.cursor = end.cursor;
          return end;
        };
      };
    },
    discard: async claimed => definition.discard?.(inHand(claimed)),
  };
}

/** The owner as a caller, for what a step records in their name. */
function callerOf({ role: roleName, ...owner }: JobOwner): Caller {
  const role = ROLE_KEYS.find(key => key === roleName);
  return { ...owner, role: role ?? 'system', permissions: permissionSetOf(role ?? 'agent'), sessionId: null };
}
