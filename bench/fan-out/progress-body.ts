import { CAMPAIGN } from './live-load.ts';

interface Body {
  requestId: string;
  segment: { segmentId: string; speaker: string; text: string };
}

/** Builds the event that the product would make of the same body, as watchers see it. */
export function parseProgress(text: string, version: number) {
  const { requestId, segment } = JSON.parse(text) as Body;
  const at = Date.now();
  return {
    callKey: `request:${requestId}`,
    campaignId: CAMPAIGN,
    version,
    at,
    currentNodeId: null,
    segment: { ...segment, final: true, startMs: null, endMs: null, nodeId: null, at },
  };
}
