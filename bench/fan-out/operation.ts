/** Operation to which every GraphQL client of the benches subscribes. */
export const OPERATION = `subscription Live { liveCalls { ... on LiveCallSegment {
  cursor at call { callKey campaignId version } segment { segmentId speaker text final startMs endMs nodeId at } } } }`;
