import type { RouteAccess } from '#kernel/caller.ts';

export interface InterfaceRow {
  /** Section of OCS. */
  section: string;
  /** `GET /api/lines/:id`. */
  name: string;
  access: RouteAccess;
}

/**
 * The table of OCS section 4, row by row, a line with two methods as two rows. `GET /api/auth/me` never fails with 401 (D3.4), so it is
 * public. Operators add participants (OCS 4.15); the handler requires more for the modes of supervisors.
 */
const TABLE = `
4.1  GET    /health                                              public
4.1  GET    /api/overview                                        session
4.1  GET    /api/overview/trend                                  session
4.1  GET    /api/media/config                                    session
4.1  GET    /api/runtime/overview                                session
4.1  GET    /api/runtime/events                                  session
4.1  PATCH  /api/runtime/events/:id/acknowledge                  session
4.1  GET    /api/audit-logs                                      audit:read
4.1  GET    /api/nlu/capabilities                                session
4.2  POST   /api/auth/login                                      public
4.2  POST   /api/auth/logout                                     session
4.2  GET    /api/auth/me                                         public
4.2  GET    /api/roles/permissions                               session
4.3  GET    /api/businesses                                      session
4.3  GET    /api/v1/scripts                                      session
4.3  POST   /api/v1/scripts                                      session
4.3  DELETE /api/v1/scripts/:id                                  session
4.3  GET    /api/v1/scripts/:id/runtime                          internal
4.4  GET    /api/lines                                           session
4.4  POST   /api/lines                                           line:write
4.4  PATCH  /api/lines/:id                                       line:write
4.4  DELETE /api/lines/:id                                       line:write
4.5  GET    /api/campaigns                                       session
4.5  POST   /api/campaigns                                       campaign:write
4.5  GET    /api/campaigns/:id                                   session
4.5  PATCH  /api/campaigns/:id                                   campaign:write
4.5  DELETE /api/campaigns/:id                                   campaign:write
4.5  GET    /api/campaigns/:id/preflight                         session
4.6  GET    /api/campaigns/:id/contacts                          session
4.6  POST   /api/campaigns/:id/contacts                          contact:write
4.6  PATCH  /api/campaigns/:id/contacts/:contactId               contact:write
4.6  DELETE /api/campaigns/:id/contacts/:contactId               contact:write
4.6  POST   /api/campaigns/:id/contacts/pause                    contact:write
4.6  POST   /api/campaigns/:id/contacts/delete                   contact:write
4.7  POST   /api/campaigns/:id/import-files                      import:write
4.8  POST   /api/campaigns/:id/dispatch                          campaign:dispatch
4.8  POST   /api/campaigns/:id/retry                             campaign:dispatch
4.8  GET    /api/campaigns/:id/batches                           session
4.8  POST   /api/campaigns/:id/batches/:batchId/cancel           campaign:dispatch
4.8  GET    /api/call-attempts                                   session
4.8  GET    /api/call-attempts/:attemptId                        session
4.8  GET    /api/call-attempts/:id/transcript-segments           session
4.8  POST   /api/call-attempts/delete                            compliance:write
4.9  GET    /api/policies                                        session
4.9  POST   /api/policies                                        policy:write
4.9  PATCH  /api/policies/:id                                    policy:write
4.9  DELETE /api/policies/:id                                    policy:write
4.9  POST   /api/policies/evaluate                               session
4.10 GET    /api/dnc                                             session
4.10 POST   /api/dnc                                             compliance:write
4.10 DELETE /api/dnc/:id                                         compliance:write
4.11 POST   /api/call-results                                    internal
4.12 POST   /api/call-progress                                   internal
4.12 GET    /api/live-calls                                      agent:operate
4.12 GET    /api/live-calls/events                               agent:operate
4.12 POST   /api/live-monitor/heartbeat                          agent:operate
4.12 DELETE /api/live-monitor/presence                           agent:operate
4.12 POST   /api/live-calls/:callKey/intervene                   agent:operate
4.12 POST   /api/live-calls/:callKey/intervention/cancel         agent:operate
4.12 POST   /api/live-calls/:callKey/release                     agent:operate
4.12 POST   /api/live-calls/:callKey/hangup                      campaign:dispatch
4.13 GET    /api/agents                                          session
4.13 GET    /api/agents/extensions                               session
4.13 GET    /api/agents/phone-statuses                           agent:operate
4.13 POST   /api/agent-groups                                    agent:write
4.13 PATCH  /api/agent-groups/:groupId                           agent:write
4.13 DELETE /api/agent-groups/:groupId                           agent:write
4.13 POST   /api/agents                                          agent:write
4.13 PATCH  /api/agents/:id                                      agent:write
4.13 DELETE /api/agents/:id                                      agent:write
4.13 GET    /api/agents/me/status                                agent:operate
4.13 PATCH  /api/agents/me/status                                agent:operate
4.13 PATCH  /api/agents/:id/status                               agent:operate
4.13 POST   /api/agents/:id/callbacks                            agent:operate
4.13 POST   /api/agents/:id/manual-calls                         agent:operate
4.13 POST   /api/agents/:id/transfers                            agent:operate
4.13 GET    /api/softphone-calls                                 agent:operate
4.14 GET    /api/agents/me/sip-config                            agent:operate
4.14 GET    /api/agents/sip-configs                              agent:operate
4.14 POST   /api/softphone-sessions                              agent:operate
4.14 GET    /api/softphone-sessions/:sessionId/events            agent:operate
4.14 POST   /api/softphone-sessions/:sessionId/messages          agent:operate
4.14 POST   /api/softphone-sessions/:sessionId/controls          agent:operate
4.14 POST   /api/softphone-sessions/:sessionId/notes             agent:operate
4.14 POST   /api/softphone-sessions/:sessionId/end               agent:operate
4.14 GET    /api/softphone-calls/:softphoneCallId                agent:operate
4.15 POST   /api/transfers/route                                 internal
4.15 POST   /api/transfers/end                                   internal
4.15 GET    /api/conference-sessions                             campaign:dispatch
4.15 GET    /api/conference-sessions/:conferenceId               campaign:dispatch
4.15 POST   /api/conference-sessions/:conferenceId/participants  agent:operate
4.15 DELETE /api/conference-sessions/:conferenceId/participants/:softphoneCallId agent:operate
4.17 GET    /api/users                                           admin
4.17 POST   /api/users                                           admin
4.17 PATCH  /api/users/:id                                       admin
4.17 DELETE /api/users/:id                                       admin
`;

export const INTERFACE_ROWS: readonly InterfaceRow[] = TABLE.trim()
  .split('\n')
  .map(line => {
    const [section = '', method = '', path = '', access = ''] = line.split(/\s+/);
    return { section, name: `${method} ${path}`, access: access as RouteAccess };
  });

/** Routes outside the table, for orchestrators and Prometheus (D14.1). */
export const OWN_ROWS: readonly string[] = [
  'POST /api/live-calls/:callKey/hint',
  'POST /api/live-calls/:callKey/say',
  'POST /api/live-calls/:callKey/hand-back',
  'POST /api/live-calls/:callKey/listen',
  'POST /api/live-calls/:callKey/control',
  'GET /health/live',
  'GET /health/ready',
  'GET /metrics',
  'GET /api/campaigns/:id/import-files/:importId',
  'DELETE /api/contacts/by-number/:number',
  'PATCH /api/auth/me/password',
  'GET /api/recordings/:attemptId',
  'GET /api/recording-health',
  'GET /api/agents/:id/day',
  'GET /api/exports/calls',
  'GET /api/exports/contacts',
  'GET /api/campaigns/:id/pre-dial-hook',
  'PUT /api/campaigns/:id/pre-dial-hook',
  'DELETE /api/campaigns/:id/pre-dial-hook',
  'GET /api/webhook-events',
  'GET /api/webhooks',
  'POST /api/webhooks',
  'PATCH /api/webhooks/:id',
  'DELETE /api/webhooks/:id',
  'POST /api/webhooks/:id/rotate-secret',
  'POST /api/webhooks/:id/test',
  'POST /api/webhooks/:id/replay',
  'GET /api/webhooks/:id/deliveries',
  'GET /api/holidays',
  'GET /api/holidays/:country',
  'GET /api/lines/:id/numbers',
  'POST /api/lines/:id/numbers/:numberId/rest',
  'POST /api/lines/:id/numbers/:numberId/resume',
  'GET /api/lines/:id/prices',
  'POST /api/lines/:id/prices',
  'DELETE /api/lines/:id/prices/:priceId',
  'GET /api/callbacks',
  'POST /api/campaigns/:id/contacts/:contactId/callback',
  'DELETE /api/callbacks/:id',
  'GET /api/campaigns/:id/outcome-rules',
  'PUT /api/campaigns/:id/outcome-rules',
  'DELETE /api/campaigns/:id/outcome-rules',
  'GET /api/campaigns/:id/outcome-rules/versions',
  'POST /api/campaigns/:id/outcome-rules/preview',
  'GET /api/outcome-rules',
  'PUT /api/outcome-rules',
  'DELETE /api/outcome-rules',
  'GET /api/outcome-rules/versions',
  'GET /api/outcome-rules/templates',
  'POST /api/campaigns/:id/dials',
  'GET /api/campaigns/:id/dials',
  'GET /api/campaigns/:id/dials/:contactId',
  'POST /api/agents/:id/promised-callbacks',
  'DELETE /api/agents/:id/promised-callbacks/:callbackId',
  'POST /api/campaigns/:id/contacts/:contactId/test-call',
  'GET /api/consents',
  'POST /api/consents',
  'POST /api/consents/import',
  'GET /api/consents/evidence/:number',
  'GET /api/rule-packs',
  'POST /api/rule-packs/:packId/preview',
  'POST /api/rule-packs/:packId/switch',
  'GET /api/campaigns/:id/dispositions',
  'PUT /api/campaigns/:id/dispositions',
  'GET /api/businesses/:businessCode/dispositions',
  'PUT /api/businesses/:businessCode/dispositions',
  'POST /api/businesses',
  'PATCH /api/businesses/:id',
  'GET /api/calls/:callKey/disposition',
  'PUT /api/calls/:callKey/disposition',
  'POST /api/calls/:callKey/do-not-call',
  'GET /api/call-attempts/:id/dispositions',
  'GET /api/disposition-counts',
  'GET /api/result-fields',
  'GET /api/follow-up-lists',
  'GET /api/follow-up-lists/:id',
  'POST /api/follow-up-lists',
  'PATCH /api/follow-up-lists/:id',
  'DELETE /api/follow-up-lists/:id',
  'POST /api/follow-up-lists/:id/feed',
  'PATCH /api/call-attempts/:id/result',
  'GET /api/call-attempts/:id/result-corrections',
  'POST /api/agents/:id/wrap-up',
  'GET /api/break-reasons',
  'PUT /api/break-reasons',
  'GET /api/agent-state-seconds',
  'POST /api/users/with-agent',
  'GET /api/agent-board',
  'GET /api/reports/call-stats',
  'GET /api/reports/measures',
  'GET /api/reports/saved',
  'POST /api/reports/saved',
  'PATCH /api/reports/saved/:id',
  'DELETE /api/reports/saved/:id',
  'GET /api/report-schedules',
  'POST /api/report-schedules',
  'PATCH /api/report-schedules/:id',
  'DELETE /api/report-schedules/:id',
  'POST /api/report-schedules/:id/run',
  'GET /api/report-schedules/:id/runs',
  'GET /api/report-channels',
  'GET /api/report-schedule-times',
  'GET /api/reports/agent-stats',
  'GET /api/reports/node-stats',
  'GET /api/reports/campaign-funnel',
  'POST /api/agents/:id/message',
  'POST /api/agents/me/messages/:messageId/read',
  'POST /api/exports',
  'GET /api/call-attempts/:id/vcon',
  'GET /api/export-columns',
  'POST /api/exports/:id/link',
  'GET /api/export-files/:link',
  'GET /api/runtime/event-runs',
  'GET /api/transcripts',
  'GET /api/call-attempts/:id/steps',
  'GET /api/jobs',
  'GET /api/jobs/:id',
  'DELETE /api/jobs/:id',
  'GET /api/lists',
  'POST /api/lists',
  'GET /api/lists/:id',
  'PATCH /api/lists/:id',
  'DELETE /api/lists/:id',
  'GET /api/lists/:id/rows',
  'POST /api/lists/:id/campaigns',
  'POST /api/list-files',
  'GET /api/list-files/:fileId/preview',
  'POST /api/imports',
  'GET /api/imports',
  'GET /api/imports/:id',
  'GET /api/imports/:id/refusals',
];

/** Rows of the table without a handler; a served row must leave this list. */
export const NOT_SERVED: readonly string[] = [];
