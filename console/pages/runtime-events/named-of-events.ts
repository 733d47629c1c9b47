/** Placeholders of the texts `eventTold.<type>`. Where the event has all of them, that text replaces the plain text of its type. */
export const NAMED_OF_EVENTS: Readonly<Record<string, readonly string[]>> = {
  'intent.alert': ['keyword'],
  'intervention.active': ['agentName'],
  'supervisor.hangup': ['by', 'reason'],
  'campaign.blocked': ['failures', 'dials'],
  'line.silent': ['line', 'calls'],
  'number.few_answers': ['line', 'numberEnding', 'dials', 'answered', 'expected'],
  'dispatch.variables_left_out': ['names'],
  'cell.up': ['cellId'],
  'cell.down': ['cellId'],
  'dependency.up': ['name'],
  'dependency.down': ['name'],
  'runtime.up': ['name'],
  'runtime.down': ['name'],
};
