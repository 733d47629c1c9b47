import DataLoader from 'dataloader';
import type { AgentDeskDeps } from '#operations/agents/agent-desks.ts';
import { type AgentView, viewAgent } from '#operations/agents/agent-view.ts';
import type { GraphStore } from '#ports/graph-store.ts';

/** Rows in one statement: more than any answer within the complexity limit needs. */
const MAX_BATCH = 1_000;

export type Loaders = ReturnType<typeof createLoaders>;

/** Rows by id: whatever asks within one tick shares a statement, and a row is read once per operation. Null: there is no such row. */
export function createLoaders({ graph, desk }: { graph: GraphStore; desk: AgentDeskDeps }) {
  return {
    campaigns: byId(ids => graph.campaigns(ids)),
    lines: byId(ids => graph.lines(ids)),
    agents: keyed(
      async ids => Promise.all((await graph.agents(ids)).map(agent => viewAgent(desk, agent))),
      (view: AgentView) => view.agent.id,
    ),
    agentGroups: byId(ids => graph.agentGroups(ids)),
    contacts: byId(ids => graph.contacts(ids)),
    attempts: byId(ids => graph.attempts(ids)),
    progress: keyed(
      ids => graph.progress(ids),
      row => row.campaignId,
    ),
    transcripts: ofAttempts(ids => graph.transcripts(ids)),
    timelines: ofAttempts(ids => graph.timelines(ids)),
  };
}

function ofAttempts<Row extends { attemptId: number }>(read: (ids: readonly number[]) => Promise<Row[]>): DataLoader<number, Row[]> {
  return new DataLoader(
    async attemptIds => {
      const byAttempt = Map.groupBy(await read(attemptIds), row => row.attemptId);
      return attemptIds.map(id => byAttempt.get(id) ?? []);
    },
    { maxBatchSize: MAX_BATCH },
  );
}

function byId<Row extends { id: number }>(read: (ids: readonly number[]) => Promise<Row[]>): DataLoader<number, Row | null> {
  return keyed(read, row => row.id);
}

function keyed<Row>(read: (ids: readonly number[]) => Promise<Row[]>, keyOf: (row: Row) => number): DataLoader<number, Row | null> {
  return new DataLoader(
    async ids => {
      const rows = new Map((await read(ids)).map(row => [keyOf(row), row]));
      return ids.map(id => rows.get(id) ?? null);
    },
    { maxBatchSize: MAX_BATCH },
  );
}
