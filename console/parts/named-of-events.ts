/** What the texts `eventTold.<type>` name: where the event has all of it, they stand for the words of its type, which name nothing. */
export const NAMED_OF_EVENTS: Readonly<Record<string, readonly string[]>> = {
  'intent.alert': ['keyword'],
  'intervention.active': ['agentName'],
  'supervisor.hangup': ['by', 'reason'],
  'campaign.blocked': ['failures', 'dials'],
  'line.silent': ['line', 'calls'],
  'dispatch.variables_left_out': ['names'],
  'cell.up': ['cellId'],
  'cell.down': ['cellId'],
  'dependency.up': ['name'],
  'dependency.down': ['name'],
  'runtime.up': ['name'],
  'runtime.down': ['name'],
};
