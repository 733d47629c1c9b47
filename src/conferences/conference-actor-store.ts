import { isDeepStrictEqual } from 'node:util';
import type { ActorCommit, ActorStore, CommitOutcome } from '#platform/actor-host/actor-store.ts';
import type { Database, Sql } from '#platform/postgres/database.ts';
import { effectOutbox } from '#platform/postgres/effect-outbox.ts';
import { type Freed, notifyFreed } from '#policies/holds.ts';
import { parseConference, serializeConference } from './conference-actor.ts';
import type { ConferenceSession } from './conference.ts';
import { countCommit, findActor, freeOf, writeSession } from './conference-rows.ts';

/** An effect that could not be carried out for this long is given up, ms: its channels have ended by their own limits, or the reconciler finds them. */
const MAX_EFFECT_AGE_MS = 600_000;

/**
 * Stores the actors of conferences in the rows of the session and its legs: the columns are the snapshot, `actor_version` is the fence; effects
 * wait in the outbox. `freed` is called with the campaigns whose contacts waited for an ended call.
 *
 * Why:    what must be unique (a customer's running session, an agent's leg) is an index of these rows, and one commit closes the legs' calls
 *         and writes the events of a browser phone's session with them. A conference sets no timers
 * Source: A3, D12.5–D12.7
 */
export function conferenceActorStore(db: Database, freed: Freed = () => undefined): ActorStore {
  const outbox = effectOutbox(db, 'conference_effect', { maxAgeMs: MAX_EFFECT_AGE_MS });
  return {
    async load(key) {
      const row = await findActor(db, Number(key), { isLocked: false });
      return row && { version: hostVersion(row), snapshot: serializeConference(row.session), commandIds: row.commandIds, meta: null };
    },
    async commit(key, commit) {
      const { outcome, waiting } = await db.transaction(async tx => {
        const written = await write(tx, Number(key), commit);
        if (written.outcome.kind === 'committed') await outbox.put(tx, key, commit);
        return written;
      });
      notifyFreed(freed, waiting);
      return outcome;
    },
    takeDueEffects: (limit, leaseMs) => outbox.takeDueEffects(limit, leaseMs),
    clearEffects: effects => outbox.clearEffects(effects),
    takeDueTimers: () => Promise.resolve([]),
    clearTimers: () => Promise.resolve(),
    // The rows of a conference outlive its actor; retention deletes them.
    remove: () => Promise.resolve(),
  };
}

/** The host counts versions from 1 for an existing actor, the column from 0. */
function hostVersion({ version }: { version: number }): number {
  return version + 1;
}

interface Written {
  outcome: CommitOutcome;
  /** Campaigns of contacts that waited for a call which this commit has ended. */
  waiting: { campaignId: number }[];
}

async function write(tx: Sql, id: number, commit: ActorCommit): Promise<Written> {
  const row = await findActor(tx, id, { isLocked: true });
  if (row === null || row.commandIds.includes(commit.commandId) || hostVersion(row) !== commit.expectedVersion)
    return { outcome: { kind: row?.commandIds.includes(commit.commandId) === true ? 'duplicate' : 'conflict' }, waiting: [] };
  const after = parseConference(commit.snapshot);
  // A decision that only asks for effects is no change of the conference (`updated_at`).
  const ended = isSame(row.session, after) ? [] : await writeSession(tx, row.session, after);
  await countCommit(tx, id, commit.commandId);
  return { outcome: { kind: 'committed', version: commit.expectedVersion + 1 }, waiting: await freeOf(tx, ended) };
}

/** Compares what a commit writes; other columns change without one. */
function isSame(one: ConferenceSession, other: ConferenceSession): boolean {
  return isDeepStrictEqual(written(one), written(other));
}

function written({ status, customerState, triedAgentIds, recordingFailed, answeredAt, endedAt, endCause, legs }: ConferenceSession) {
  return { status, customerState, triedAgentIds, recordingFailed, answeredAt, endedAt, endCause, legs };
}
