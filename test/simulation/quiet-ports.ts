import { isCalloutError } from '#kernel/errors.ts';
import { type Log, type LogFields, silentLog } from '#kernel/log.ts';
import type { AgentDirectory } from '#agents/agent-directory.ts';
import type { RuntimeEventStore } from '#runtime-events/runtime-event-store.ts';
import type { Checks } from './checks.ts';
import type { Journal } from './journal.ts';

/** Every monitor's own phone is free. */
export const readyAgents: Pick<AgentDirectory, 'findByUser'> = {
  findByUser: async userId => ({
    agentId: userId,
    userId,
    name: '',
    phoneExtension: '',
    cellId: null,
    groupId: null,
    status: 'idle',
    registrationStatus: 'registered',
    currentCall: null,
    isListening: false,
    activity: { state: 'idle', chosen: 'idle', since: null, reason: null, wrapUp: null },
  }),
};

export const noCaptions = {
  appendSegments: () => Promise.reject(new Error('captions are not simulated')),
  listIds: () => Promise.reject(new Error('captions are not simulated')),
  read: () => Promise.reject(new Error('captions are not simulated')),
  versions: () => Promise.reject(new Error('captions are not simulated')),
};
export const noAudit = { record: async () => undefined, list: noCaptions.read };

/** Discards runtime events and returns each as newly recorded. */
export function quietEvents(now: () => number): RuntimeEventStore {
  return {
    async record(event) {
      const at = now();
      const told = { message: '', campaignId: null, attemptId: null, cellId: null, detail: null, ...event };
      return { ...told, id: 1, acknowledgedAt: null, acknowledgedBy: null, createdAt: at, updatedAt: at };
    },
    recent: async () => [],
    lastOfCell: async () => null,
    lastOfDependency: async () => null,
    acknowledge: async () => null,
    changesAfter: async () => [],
    lastPosition: async () => 0,
  };
}

/** Ends the run at any error outside the error catalogue, because that is an internal error. */
export function faultsOnly(checks: Checks, notes: Journal, name: string): Log {
  const look = (fields: LogFields, message: string) => {
    const { err } = fields;
    notes.write(() => `${name} log: ${message} ${err instanceof Error ? err.message : ''}`);
    if (err instanceof Error && !isCalloutError(err)) checks.programFault(err);
  };
  const log: Log = { ...silentLog, warn: look, error: look, child: () => log };
  return log;
}
