import { useQuery } from '@apollo/client/react';
import { createContext, useEffect, useMemo } from 'react';
import type { WatchedCall } from '../../live/call-changes.ts';
import { RunningCampaignsDocument, type RunningCampaignsQuery } from './live.generated.ts';

/** Name of a node of a campaign's script; its id when the current script does not have it. */
export type NodeNames = (campaignId: string, nodeId: string) => string;

export const NodeNamesContext = createContext<NodeNames>((_campaignId, nodeId) => nodeId);

interface RunningCampaigns {
  /** Campaign priority by row id: among calls that wait equally long, the higher priority comes first. */
  priorities: ReadonlyMap<string, number>;
  nodeNames: NodeNames;
}

/** Read again when a call belongs to a campaign that was not among them. */
export function useRunningCampaigns(calls: readonly WatchedCall[]): RunningCampaigns {
  const { data, refetch } = useQuery(RunningCampaignsDocument);
  const running = useMemo(() => runningOf(data), [data]);
  const newcomer = data && calls.find(({ campaignId }) => !running.priorities.has(campaignId))?.campaignId;
  useEffect(() => {
    if (newcomer !== undefined) void refetch();
  }, [newcomer, refetch]);
  return running;
}

function runningOf(data: RunningCampaignsQuery | undefined): RunningCampaigns {
  const running = data?.campaigns?.nodes ?? [];
  const names = new Map(
    running.map(({ databaseId, business }) => [databaseId, Object(business?.script?.nodeNames) as Record<string, string>]),
  );
  return {
    priorities: new Map(running.map(({ databaseId, businessConfig }) => [databaseId, businessConfig.monitoringPriority ?? 0])),
    nodeNames: (campaignId, nodeId) => names.get(campaignId)?.[nodeId] || nodeId,
  };
}
