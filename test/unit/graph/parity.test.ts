import { describe, expect, test } from '@jest/globals';
import { isObjectType } from 'graphql';
import { everyRoute } from '#test/support/every-route.ts';
import { readFieldAccess } from '#test/support/field-access.ts';
import { INTERFACE_ROWS, NOT_SERVED } from '#test/contract/coverage/interface-rows.ts';
import { createSchema } from '#serve/graphql-edge.ts';

const schema = createSchema();

/** Reasons why a row has no GraphQL field. */
const REASONS = {
  internal: 'the call-flow runtime speaks to it, with a token that no dashboard has',
  probe: 'orchestrators read its HTTP status',
  file: 'a browser fetches a file over HTTP, by an address that a field answers',
  upload: 'a file of any length is stored as it arrives, while an upload of GraphQL is held in memory as a whole',
  session: 'a session is opened and ended where no session is asked for; a socket carries it in its connection parameters',
};
type Reason = keyof typeof REASONS;

/** Every row of REST with its equivalent GraphQL fields, or the reason for having none. */
const PARITY: Readonly<Record<string, readonly string[] | { none: Reason }>> = {
  'GET /api/campaigns': ['Query.campaigns'],
  'POST /api/campaigns': ['Mutation.createCampaign', 'Query.campaignFaults'],
  'GET /api/campaigns/:id': [
    'Query.campaign',
    'Subscription.campaignProgress',
    'Subscription.campaignsProgress',
    'Campaign.progress',
    'Campaign.notDialedReasons',
    'Campaign.history',
    'SoftphoneCall.campaign',
    'Conference.campaign',
    'Policy.campaign',
    'Contact.campaign',
    'Attempt.campaign',
  ],
  'PATCH /api/auth/me/password': ['Mutation.changeOwnPassword'],
  'PATCH /api/campaigns/:id': [
    'Mutation.updateCampaign',
    'Mutation.startCampaign',
    'Mutation.pauseCampaign',
    'Mutation.archiveCampaign',
    'Mutation.startCampaigns',
    'Mutation.pauseCampaigns',
    'Mutation.archiveCampaigns',
  ],
  'DELETE /api/campaigns/:id': ['Mutation.deleteCampaign'],
  'GET /api/campaigns/:id/preflight': ['Campaign.preflight'],
  'GET /api/campaigns/:id/contacts': ['Query.contacts', 'Query.contact', 'Campaign.contacts', 'SoftphoneCall.contact', 'Attempt.contact'],
  'POST /api/campaigns/:id/contacts': ['Mutation.addContacts'],
  'PATCH /api/campaigns/:id/contacts/:contactId': ['Mutation.updateContact'],
  'DELETE /api/campaigns/:id/contacts/:contactId': ['Mutation.deleteContacts'],
  'POST /api/campaigns/:id/contacts/pause': ['Mutation.pauseContacts'],
  'POST /api/campaigns/:id/contacts/delete': ['Mutation.deleteContacts'],
  'DELETE /api/contacts/by-number/:number': ['Mutation.eraseContact'],
  'POST /api/campaigns/:id/import-files': ['Mutation.importContacts', 'Mutation.previewImport'],
  'GET /api/campaigns/:id/import-files/:importId': ['Subscription.fileImport'],
  'POST /api/campaigns/:id/dispatch': ['Mutation.dispatchCampaign'],
  'POST /api/campaigns/:id/retry': ['Mutation.retryContacts'],
  'GET /api/campaigns/:id/batches': ['Campaign.batches', 'Query.batch'],
  'POST /api/campaigns/:id/batches/:batchId/cancel': ['Mutation.cancelBatch'],
  'GET /api/call-attempts': ['Query.attempts', 'Contact.attempts', 'Campaign.attempts', 'Person.attempts'],
  'GET /api/call-attempts/:attemptId': ['Query.attempt', 'Conference.attempt', 'Contact.lastAttempt'],
  'GET /api/call-attempts/:id/transcript-segments': ['Attempt.transcript', 'LiveCall.timeline', 'Attempt.timeline', 'Attempt.userHangup'],
  'GET /api/recordings/:attemptId': ['Attempt.recording'],
  'GET /api/recording-health': ['Query.recordingHealth', 'Attempt.recordingCheck'],
  'GET /api/agents/:id/day': ['Query.agentDay'],
  'GET /api/exports/calls': ['Query.callsExport'],
  'GET /api/exports/contacts': ['Query.contactsExport', 'FollowUpList.exportUrl'],
  'POST /api/call-attempts/delete': ['Mutation.deleteAttempts'],
  'GET /api/businesses': ['Query.businesses', 'Campaign.business', 'Script.business', 'Business.campaignCount'],
  'GET /api/lines': ['Query.lines', 'Query.line', 'Line.gateways', 'Campaign.lines', 'Attempt.line'],
  'POST /api/lines': ['Mutation.createLine'],
  'PATCH /api/lines/:id': ['Mutation.updateLine'],
  'DELETE /api/lines/:id': ['Mutation.deleteLine'],
  'GET /api/policies': ['Query.policies', 'Query.policy'],
  'POST /api/policies': ['Mutation.createPolicy'],
  'PATCH /api/policies/:id': ['Mutation.updatePolicy', 'Mutation.enablePolicies', 'Mutation.disablePolicies'],
  'DELETE /api/policies/:id': ['Mutation.deletePolicy', 'Mutation.deletePolicies'],
  'POST /api/policies/evaluate': ['Query.explainPolicy'],
  'GET /api/lines/:id/numbers': ['Line.numberUse'],
  'POST /api/lines/:id/numbers/:numberId/rest': ['Mutation.restLineNumber'],
  'POST /api/lines/:id/numbers/:numberId/resume': ['Mutation.resumeLineNumber'],
  'GET /api/lines/:id/prices': ['Line.prices'],
  'POST /api/lines/:id/prices': ['Mutation.setLinePrice'],
  'DELETE /api/lines/:id/prices/:priceId': ['Mutation.removeLinePrice'],
  'GET /api/callbacks': ['Query.callbacks', 'Subscription.callbacks', 'Callback.agent', 'Callback.campaign', 'Callback.contact'],
  'POST /api/campaigns/:id/contacts/:contactId/callback': ['Mutation.promiseCallback'],
  'DELETE /api/callbacks/:id': ['Mutation.cancelCallback'],
  'GET /api/campaigns/:id/outcome-rules': ['Query.outcomeRules'],
  'PUT /api/campaigns/:id/outcome-rules': ['Mutation.setOutcomeRules'],
  'DELETE /api/campaigns/:id/outcome-rules': ['Mutation.removeOutcomeRules'],
  'GET /api/campaigns/:id/outcome-rules/versions': ['Query.outcomeRuleVersions'],
  'POST /api/campaigns/:id/outcome-rules/preview': ['Query.previewOutcomeRules'],
  'GET /api/outcome-rules': ['Query.outcomeRules'],
  'PUT /api/outcome-rules': ['Mutation.setOutcomeRules'],
  'DELETE /api/outcome-rules': ['Mutation.removeOutcomeRules'],
  'GET /api/outcome-rules/versions': ['Query.outcomeRuleVersions'],
  'GET /api/outcome-rules/templates': ['Query.outcomeRuleTemplates'],
  'POST /api/campaigns/:id/dials': ['Mutation.placeDials'],
  'GET /api/campaigns/:id/dials': ['Query.dial'],
  'GET /api/campaigns/:id/dials/:contactId': ['Query.dial', 'Dial.contact'],
  'POST /api/agents/:id/promised-callbacks': ['Mutation.promiseAgentCallback'],
  'DELETE /api/agents/:id/promised-callbacks/:callbackId': ['Mutation.cancelAgentCallback'],
  'POST /api/campaigns/:id/contacts/:contactId/test-call': ['Mutation.placeTestCall'],
  'GET /api/consents': ['Query.consents'],
  'POST /api/consents': ['Mutation.recordConsent'],
  'POST /api/consents/import': ['Mutation.importConsents'],
  'GET /api/consents/evidence/:number': ['Query.consentEvidence'],
  'GET /api/rule-packs': ['Query.rulePacks', 'PackSwitch.campaign'],
  'POST /api/rule-packs/:packId/preview': ['Query.previewRulePack'],
  'POST /api/rule-packs/:packId/switch': ['Mutation.switchRulePack'],
  'GET /api/campaigns/:id/dispositions': ['Query.campaignDispositions'],
  'PUT /api/campaigns/:id/dispositions': ['Mutation.setCampaignDispositions'],
  'GET /api/businesses/:businessCode/dispositions': ['Query.businessDispositions'],
  'PUT /api/businesses/:businessCode/dispositions': ['Mutation.setBusinessDispositions'],
  'POST /api/agents/:id/wrap-up': ['Mutation.changeWrapUp'],
  'GET /api/break-reasons': ['Query.breakReasons'],
  'PUT /api/break-reasons': ['Mutation.setBreakReasons'],
  'GET /api/agent-state-seconds': ['Query.agentStateSeconds'],
  'GET /api/agent-board': ['Query.agentBoard'],
  'GET /api/reports/call-stats': ['Query.callStats'],
  'GET /api/reports/saved': ['Query.savedReports', 'SavedReport.mayChange'],
  'POST /api/reports/saved': ['Mutation.createSavedReport'],
  'PATCH /api/reports/saved/:id': ['Mutation.updateSavedReport'],
  'DELETE /api/reports/saved/:id': ['Mutation.deleteSavedReport'],
  'GET /api/report-schedules': ['Query.reportSchedules'],
  'POST /api/report-schedules': ['Mutation.createReportSchedule'],
  'PATCH /api/report-schedules/:id': ['Mutation.updateReportSchedule'],
  'DELETE /api/report-schedules/:id': ['Mutation.deleteReportSchedule'],
  'POST /api/report-schedules/:id/run': ['Mutation.runReportSchedule'],
  'GET /api/report-schedules/:id/runs': ['Query.reportScheduleRuns'],
  'GET /api/report-channels': ['Query.reportChannels'],
  'GET /api/report-schedule-times': ['Query.reportScheduleTimes'],
  'GET /api/reports/measures': ['Query.callMeasures'],
  'GET /api/reports/agent-stats': ['Query.agentStats'],
  'GET /api/reports/node-stats': ['Query.nodeStats'],
  'GET /api/reports/campaign-funnel': ['Query.campaignFunnel'],
  'POST /api/agents/:id/message': ['Mutation.sendAgentMessage'],
  'POST /api/agents/me/messages/:messageId/read': ['Mutation.markMessageRead'],
  'GET /api/calls/:callKey/disposition': ['Query.callDisposition'],
  'PUT /api/calls/:callKey/disposition': ['Mutation.saveDisposition'],
  'POST /api/calls/:callKey/do-not-call': ['Mutation.addCallToDoNotCall'],
  'GET /api/call-attempts/:id/dispositions': ['Attempt.dispositions', 'Attempt.mayDispose', 'Attempt.agents'],
  'GET /api/disposition-counts': ['Query.dispositionCounts', 'DispositionCount.campaign'],
  'GET /api/follow-up-lists': ['Query.followUpLists'],
  'GET /api/follow-up-lists/:id': ['Query.followUpList', 'FollowUpList.count', 'FollowUpList.mayChange'],
  'POST /api/follow-up-lists': ['Mutation.createFollowUpList'],
  'PATCH /api/follow-up-lists/:id': ['Mutation.updateFollowUpList'],
  'DELETE /api/follow-up-lists/:id': ['Mutation.deleteFollowUpList'],
  'POST /api/follow-up-lists/:id/feed': ['Mutation.feedCampaign'],
  'GET /api/result-fields': ['Query.resultFields'],
  'PATCH /api/call-attempts/:id/result': ['Mutation.correctCallResult'],
  'GET /api/call-attempts/:id/result-corrections': ['Attempt.resultCorrections', 'Attempt.resultFields', 'Contact.resultFields'],
  'GET /api/campaigns/:id/pre-dial-hook': ['Query.preDialHook'],
  'PUT /api/campaigns/:id/pre-dial-hook': ['Mutation.setPreDialHook'],
  'DELETE /api/campaigns/:id/pre-dial-hook': ['Mutation.removePreDialHook'],
  'GET /api/webhook-events': ['Query.webhookEvents'],
  'GET /api/webhooks': ['Query.webhooks'],
  'POST /api/webhooks': ['Mutation.createWebhook'],
  'PATCH /api/webhooks/:id': ['Mutation.updateWebhook'],
  'DELETE /api/webhooks/:id': ['Mutation.deleteWebhook'],
  'POST /api/webhooks/:id/rotate-secret': ['Mutation.rotateWebhookSecret'],
  'POST /api/webhooks/:id/test': ['Mutation.testWebhook'],
  'POST /api/webhooks/:id/replay': ['Mutation.replayWebhook'],
  'GET /api/webhooks/:id/deliveries': ['Query.webhookDeliveries'],
  'GET /api/holidays': ['Query.holidayCountries'],
  'GET /api/holidays/:country': ['Query.holidayCalendar'],
  'GET /api/dnc': ['Query.doNotCallEntries'],
  'POST /api/dnc': ['Mutation.addDoNotCall', 'Mutation.addDoNotCallEntries', 'Mutation.readNumbers'],
  'DELETE /api/dnc/:id': ['Mutation.removeDoNotCall', 'Mutation.removeDoNotCallEntries'],
  'POST /api/businesses': ['Mutation.createBusiness'],
  'PATCH /api/businesses/:id': ['Mutation.updateBusiness'],
  'GET /api/v1/scripts': [
    'Query.scripts',
    'Query.script',
    'Script.versions',
    'Script.savedVersion',
    'Attempt.savedScript',
    'ScriptVersion.createdBy',
    'Business.script',
    'Query.scriptNodeTypes',
    'Query.scriptTemplates',
    'Query.tryScript',
    'Query.checkScriptUtterances',
    'Script.draft',
    'Script.activations',
    'Script.utterances',
    'Script.figures',
    'ScriptDraft.updatedBy',
    'ScriptActivation.actedBy',
  ],
  'POST /api/v1/scripts': [
    'Mutation.saveScript',
    'Mutation.activateScript',
    'Mutation.deactivateScript',
    'Mutation.saveScriptDraft',
    'Mutation.publishScript',
    'Mutation.keepScriptUtterance',
  ],
  'DELETE /api/v1/scripts/:id': ['Mutation.deleteScript', 'Mutation.discardScriptDraft', 'Mutation.dropScriptUtterance'],
  'GET /api/v1/scripts/:id/runtime': { none: 'internal' },
  'GET /api/users': ['Query.users', 'Query.user', 'User.username', 'User.role', 'User.isEnabled', 'User.createdAt', 'User.updatedAt'],
  'POST /api/users': ['Mutation.createUser'],
  'POST /api/users/with-agent': ['Mutation.createUserWithAgent'],
  'PATCH /api/users/:id': ['Mutation.updateUser'],
  'DELETE /api/users/:id': ['Mutation.deleteUser'],
  'GET /api/audit-logs': ['Query.auditLogs', 'AuditLog.targetName'],
  'GET /api/call-attempts/:id/vcon': ['Attempt.vcon'],
  'POST /api/exports': ['Mutation.startExport'],
  'GET /api/export-columns': ['Query.exportColumns'],
  'POST /api/exports/:id/link': ['Mutation.linkExport'],
  'GET /api/export-files/:link': { none: 'file' },
  'GET /api/jobs': ['Query.jobs'],
  'GET /api/jobs/:id': ['Query.job', 'Subscription.job'],
  'DELETE /api/jobs/:id': ['Mutation.cancelJob'],
  'GET /api/lists': ['Query.contactLists'],
  'POST /api/lists': ['Mutation.createContactList'],
  'GET /api/lists/:id': ['Query.contactList', 'ContactList.versions', 'ContactList.campaigns'],
  'PATCH /api/lists/:id': ['Mutation.updateContactList'],
  'DELETE /api/lists/:id': ['Mutation.removeContactList'],
  'GET /api/lists/:id/rows': ['ContactList.rows'],
  'POST /api/lists/:id/campaigns': ['Mutation.useContactList'],
  'POST /api/list-files': { none: 'upload' },
  'GET /api/list-files/:fileId/preview': ['Query.listFilePreview'],
  'POST /api/imports': ['Mutation.startListImport'],
  'GET /api/imports': ['Query.listImports'],
  'GET /api/imports/:id': ['Query.listImport'],
  'GET /api/imports/:id/refusals': ['ListImport.refusalsUrl'],
  'GET /health': { none: 'probe' },
  'GET /health/live': { none: 'probe' },
  'GET /health/ready': { none: 'probe' },
  'GET /api/overview': ['Query.overview', 'Subscription.overview'],
  'GET /api/overview/trend': ['Query.trend', 'Query.trendHours'],
  'GET /api/media/config': ['Query.mediaConfig'],
  'GET /api/runtime/overview': ['Query.runtimeOverview', 'Subscription.runtimeOverview'],
  'GET /api/runtime/events': ['Query.runtimeEvents', 'Subscription.runtimeEvents'],
  'GET /api/transcripts': ['Query.transcriptHits'],
  'GET /api/call-attempts/:id/steps': ['Attempt.steps'],
  'GET /api/runtime/event-runs': ['Query.runtimeEventRuns'],
  'PATCH /api/runtime/events/:id/acknowledge': ['Mutation.acknowledgeRuntimeEvent'],
  'GET /api/nlu/capabilities': ['Query.nluCapabilities'],
  'POST /api/auth/login': { none: 'session' },
  'POST /api/auth/logout': { none: 'session' },
  'GET /api/auth/me': ['Query.me'],
  'GET /api/roles/permissions': ['Query.rolePermissions'],
  'POST /api/call-results': { none: 'internal' },
  'POST /api/call-progress': { none: 'internal' },
  'GET /api/live-calls': ['Query.monitorBoard', 'Subscription.monitorBoard'],
  'GET /api/live-calls/events': [
    'Query.liveCalls',
    'Subscription.liveCalls',
    'Subscription.liveCall',
    'Subscription.intentAlerts',
    'Agent.currentCall',
    'LiveCall.conferenceId',
    'LiveCall.actions',
  ],
  'POST /api/live-monitor/heartbeat': ['Mutation.monitorHeartbeat'],
  'DELETE /api/live-monitor/presence': ['Mutation.leaveMonitoring'],
  'POST /api/live-calls/:callKey/intervene': ['Mutation.claimIntervention'],
  'POST /api/live-calls/:callKey/intervention/cancel': ['Mutation.cancelIntervention'],
  'POST /api/live-calls/:callKey/release': ['Mutation.releaseLiveCall'],
  'POST /api/live-calls/:callKey/hint': ['Mutation.hintLiveCall'],
  'POST /api/live-calls/:callKey/say': ['Mutation.sayInLiveCall'],
  'POST /api/live-calls/:callKey/hand-back': ['Mutation.handBackLiveCall'],
  'POST /api/live-calls/:callKey/listen': ['Mutation.listenToLiveCall'],
  'POST /api/live-calls/:callKey/control': ['Mutation.controlLiveCall'],
  'POST /api/live-calls/:callKey/hangup': ['Mutation.hangUpLiveCall'],
  'GET /api/agents': [
    'Query.agents',
    'Query.agent',
    'Query.agentGroups',
    'Subscription.agentStatuses',
    'Agent.group',
    'SoftphoneCall.agent',
  ],
  'GET /api/agents/extensions': ['Query.phoneExtensions'],
  'GET /api/agents/phone-statuses': ['Query.phoneStatuses'],
  'POST /api/agent-groups': ['Mutation.createAgentGroup'],
  'PATCH /api/agent-groups/:groupId': ['Mutation.updateAgentGroup'],
  'DELETE /api/agent-groups/:groupId': ['Mutation.deleteAgentGroup'],
  'POST /api/agents': ['Mutation.createAgent'],
  'PATCH /api/agents/:id': ['Mutation.updateAgent'],
  'DELETE /api/agents/:id': ['Mutation.deleteAgent'],
  'GET /api/agents/me/status': ['Query.myAgent'],
  'PATCH /api/agents/me/status': ['Mutation.setMyStatus'],
  'PATCH /api/agents/:id/status': ['Mutation.setAgentStatus'],
  'POST /api/agents/:id/callbacks': ['Mutation.placeCallback'],
  'POST /api/agents/:id/manual-calls': ['Mutation.placeManualCall'],
  'POST /api/agents/:id/transfers': ['Mutation.placeTransfer'],
  'GET /api/softphone-calls': ['Query.softphoneCalls'],
  'GET /api/agents/me/sip-config': ['Query.mySipConfig'],
  'GET /api/agents/sip-configs': ['Query.sipConfigs'],
  'POST /api/softphone-sessions': ['Mutation.openSoftphoneSession'],
  'GET /api/softphone-sessions/:sessionId/events': ['Query.softphoneSession', 'Subscription.softphoneSession'],
  'POST /api/softphone-sessions/:sessionId/messages': ['Mutation.sayInSoftphoneSession'],
  'POST /api/softphone-sessions/:sessionId/controls': [
    'Mutation.holdSoftphoneSession',
    'Mutation.resumeSoftphoneSession',
    'Mutation.sendSoftphoneDigits',
    'Mutation.transferSoftphoneSession',
  ],
  'POST /api/softphone-sessions/:sessionId/notes': ['Mutation.noteSoftphoneSession'],
  'POST /api/softphone-sessions/:sessionId/end': ['Mutation.endSoftphoneSession'],
  'GET /api/softphone-calls/:softphoneCallId': ['Query.softphoneCall'],
  'POST /api/transfers/route': { none: 'internal' },
  'POST /api/transfers/end': { none: 'internal' },
  'GET /api/conference-sessions': ['Query.conferences'],
  'GET /api/conference-sessions/:conferenceId': ['Query.conference', 'Subscription.conference', 'LiveCall.conference'],
  'POST /api/conference-sessions/:conferenceId/participants': ['Mutation.addParticipant'],
  'DELETE /api/conference-sessions/:conferenceId/participants/:softphoneCallId': ['Mutation.removeParticipant'],
};

/** Fields that exist only in GraphQL. */
const CONVENIENCES = [
  'Query.person',
  'Query.myDesk',
  'Subscription.myMessages',
  'Query.health',
  'Subscription.health',
  'Query.whyNotDialed',
  'Query.recentMinutes',
  'Query.node',
  'Query.nodes',
  'Query.dialingDays',
  'LiveCall.segments',
  'LiveCall.guidance',
];

interface Row {
  method: string;
  path: string;
  access: string;
}

const access = readFieldAccess();
const rows: Row[] = await everyRoute();

const nameOf = ({ method, path }: Row) => `${method} ${path}`;
const parameterless = (name: string) => name.replaceAll(/:\w+/g, ':');

describe('GraphQL covers REST', () => {
  test('every row of the contract has a field or a reason for having none', () => {
    expect(rows.map(nameOf).sort()).toEqual(Object.keys(PARITY).sort());
    const reasons = Object.values(PARITY).flatMap(entry => ('none' in entry ? [entry.none] : []));
    expect(reasons.filter(reason => !(reason in REASONS))).toEqual([]);
  });

  test('every row of the interface document has one too [OCS 4]', () => {
    const known = new Set(Object.keys(PARITY).map(parameterless));
    const missing = INTERFACE_ROWS.map(({ name }) => name).filter(name => !NOT_SERVED.includes(name) && !known.has(parameterless(name)));
    expect(missing).toEqual([]);
  });

  test('only internal rows, probes, session rows, the file of an export and the upload of any length have no field', () => {
    const without = rows.filter(row => 'none' in (PARITY[nameOf(row)] ?? {}));
    const internal = without.filter(({ access }) => access === 'internal').map(nameOf);
    expect(internal.map(name => PARITY[name])).toEqual(internal.map(() => ({ none: 'internal' })));
    expect(without.filter(({ access }) => access !== 'internal').map(nameOf)).toEqual(
      expect.arrayContaining(['POST /api/auth/login', 'POST /api/auth/logout', 'GET /health', 'POST /api/list-files']),
    );
    expect(without).toHaveLength(internal.length + 7);
  });

  test('every root field is equivalent to a row, or exists only in GraphQL by intention', () => {
    const standing = new Set([...Object.values(PARITY).flatMap(entry => ('none' in entry ? [] : entry)), ...CONVENIENCES]);
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap(type =>
      Object.keys(type?.getFields() ?? {}).map(field => `${type?.name}.${field}`),
    );
    expect(roots.filter(field => !standing.has(field))).toEqual([]);
    expect([...access.keys()].filter(field => !standing.has(field))).toEqual([]);
  });

  test.each(rows.map(row => [nameOf(row), row] as const))('%s requires the same permission on both edges', (name, row) => {
    const entry = PARITY[name] ?? [];
    for (const path of 'none' in entry ? [] : entry) {
      const [type = '', field = ''] = path.split('.');
      const object = schema.getType(type);
      expect(isObjectType(object) ? Object.keys(object.getFields()) : []).toContain(field);
      expect(access.get(path)).toBe(row.access);
    }
  });
});
