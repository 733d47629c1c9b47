import { changePasswordRoute, meRoute, rolePermissionsRoute } from '#contract/rest/access.ts';
import {
  createAgentGroupRoute,
  createAgentRoute,
  deleteAgentGroupRoute,
  deleteAgentRoute,
  getOwnSipConfigRoute,
  getOwnStatusRoute,
  listAgentsRoute,
  listExtensionsRoute,
  listPhoneStatusesRoute,
  listSipConfigsRoute,
  setAgentStatusRoute,
  setOwnStatusRoute,
  updateAgentGroupRoute,
  updateAgentRoute,
} from '#contract/rest/agents.ts';
import { deleteAttemptsRoute, getAttemptRoute, listAttemptsRoute, listTranscriptSegmentsRoute } from '#contract/rest/attempts.ts';
import { listAuditLogsRoute } from '#contract/rest/audit-logs.ts';
import { listBatchesRoute } from '#contract/rest/batches.ts';
import { listBusinessesRoute } from '#contract/rest/businesses.ts';
import {
  createCampaignRoute,
  deleteCampaignRoute,
  getCampaignRoute,
  listCampaignsRoute,
  preflightCampaignRoute,
  updateCampaignRoute,
} from '#contract/rest/campaigns.ts';
import { addParticipantRoute, getConferenceRoute, listConferencesRoute, removeParticipantRoute } from '#contract/rest/conferences.ts';
import {
  deleteContactsRoute,
  listContactsRoute,
  pasteContactsRoute,
  pauseContactsRoute,
  updateContactRoute,
} from '#contract/rest/contacts.ts';
import { cancelBatchRoute, dispatchRoute } from '#contract/rest/dispatch.ts';
import { liveCallStreamRoute } from '#contract/rest/live-call-events.ts';
import {
  cancelInterventionRoute,
  claimInterventionRoute,
  hangUpLiveCallRoute,
  heartbeatRoute,
  leaveMonitoringRoute,
  listLiveCallsRoute,
  releaseLiveCallRoute,
} from '#contract/rest/live-calls.ts';
import { mediaConfigRoute } from '#contract/rest/media.ts';
import { nluCapabilitiesRoute } from '#contract/rest/nlu.ts';
import { overviewRoute, trendRoute } from '#contract/rest/overview.ts';
import { erasePersonRoute } from '#contract/rest/people.ts';
import { addDoNotCallRoute, listDoNotCallRoute, removeDoNotCallRoute } from '#contract/rest/do-not-call.ts';
import { createLineRoute, deleteLineRoute, listLinesRoute, updateLineRoute } from '#contract/rest/lines.ts';
import {
  createPolicyRoute,
  deletePolicyRoute,
  evaluatePoliciesRoute,
  listPoliciesRoute,
  updatePolicyRoute,
} from '#contract/rest/policies.ts';
import { retryContactsRoute } from '#contract/rest/retry.ts';
import { deleteScriptRoute, listScriptsRoute, saveScriptRoute } from '#contract/rest/scripts.ts';
import { createUserRoute, deleteUserRoute, listUsersRoute, updateUserRoute } from '#contract/rest/users.ts';
import { acknowledgeRuntimeEventRoute, runtimeEventStreamRoute } from '#contract/rest/runtime-events.ts';
import { runtimeOverviewRoute } from '#contract/rest/runtime-overview.ts';
import { listSoftphoneCallsRoute, placeCallbackRoute, placeManualCallRoute, placeTransferRoute } from '#contract/rest/softphone-calls.ts';
import {
  endSoftphoneRoute,
  getSoftphoneCallRoute,
  openSoftphoneRoute,
  softphoneControlRoute,
  softphoneEventsRoute,
  softphoneMessageRoute,
  softphoneNoteRoute,
} from '#contract/rest/softphone-sessions.ts';
import type { RouteContract } from '#contract/rest/route.ts';

type AccessRow = Pick<RouteContract, 'access'>;

/**
 * The REST row that each field stands for: its `access` is the field's. Every root field and every field with arguments or rows of another
 * kind is here; the schema is not made without.
 *
 * Source: OCS 2.3, 5
 */
export const ACCESS_TABLE: Readonly<Record<string, Readonly<Record<string, AccessRow>>>> = {
  Query: {
    me: meRoute,
    campaign: getCampaignRoute,
    campaigns: listCampaignsRoute,
    contacts: listContactsRoute,
    whyNotDialed: listContactsRoute,
    attempt: getAttemptRoute,
    attempts: listAttemptsRoute,
    liveCalls: liveCallStreamRoute,
    businesses: listBusinessesRoute,
    lines: listLinesRoute,
    policies: listPoliciesRoute,
    explainPolicy: evaluatePoliciesRoute,
    doNotCallEntries: listDoNotCallRoute,
    scripts: listScriptsRoute,
    auditLogs: listAuditLogsRoute,
    users: listUsersRoute,
    rolePermissions: rolePermissionsRoute,
    agents: listAgentsRoute,
    agentGroups: listAgentsRoute,
    myAgent: getOwnStatusRoute,
    phoneExtensions: listExtensionsRoute,
    phoneStatuses: listPhoneStatusesRoute,
    mySipConfig: getOwnSipConfigRoute,
    sipConfigs: listSipConfigsRoute,
    softphoneCalls: listSoftphoneCallsRoute,
    softphoneCall: getSoftphoneCallRoute,
    softphoneSession: softphoneEventsRoute,
    monitorDesk: listLiveCallsRoute,
    conferences: listConferencesRoute,
    conference: getConferenceRoute,
    overview: overviewRoute,
    trend: trendRoute,
    runtimeOverview: runtimeOverviewRoute,
    mediaConfig: mediaConfigRoute,
    nluCapabilities: nluCapabilitiesRoute,
  },
  Mutation: {
    createCampaign: createCampaignRoute,
    updateCampaign: updateCampaignRoute,
    startCampaign: updateCampaignRoute,
    pauseCampaign: updateCampaignRoute,
    archiveCampaign: updateCampaignRoute,
    deleteCampaign: deleteCampaignRoute,
    dispatchCampaign: dispatchRoute,
    cancelBatch: cancelBatchRoute,
    addContacts: pasteContactsRoute,
    pauseContacts: pauseContactsRoute,
    updateContact: updateContactRoute,
    deleteContacts: deleteContactsRoute,
    eraseContact: erasePersonRoute,
    retryContacts: retryContactsRoute,
    deleteAttempts: deleteAttemptsRoute,
    createLine: createLineRoute,
    updateLine: updateLineRoute,
    deleteLine: deleteLineRoute,
    createPolicy: createPolicyRoute,
    updatePolicy: updatePolicyRoute,
    deletePolicy: deletePolicyRoute,
    addDoNotCall: addDoNotCallRoute,
    removeDoNotCall: removeDoNotCallRoute,
    saveScript: saveScriptRoute,
    deleteScript: deleteScriptRoute,
    changeOwnPassword: changePasswordRoute,
    createUser: createUserRoute,
    updateUser: updateUserRoute,
    deleteUser: deleteUserRoute,
    createAgent: createAgentRoute,
    updateAgent: updateAgentRoute,
    deleteAgent: deleteAgentRoute,
    createAgentGroup: createAgentGroupRoute,
    updateAgentGroup: updateAgentGroupRoute,
    deleteAgentGroup: deleteAgentGroupRoute,
    setMyStatus: setOwnStatusRoute,
    setAgentStatus: setAgentStatusRoute,
    placeManualCall: placeManualCallRoute,
    placeCallback: placeCallbackRoute,
    placeTransfer: placeTransferRoute,
    monitorHeartbeat: heartbeatRoute,
    leaveMonitoring: leaveMonitoringRoute,
    claimIntervention: claimInterventionRoute,
    cancelIntervention: cancelInterventionRoute,
    releaseLiveCall: releaseLiveCallRoute,
    hangUpLiveCall: hangUpLiveCallRoute,
    acknowledgeRuntimeEvent: acknowledgeRuntimeEventRoute,
    addParticipant: addParticipantRoute,
    removeParticipant: removeParticipantRoute,
    openSoftphoneSession: openSoftphoneRoute,
    sayInSoftphoneSession: softphoneMessageRoute,
    holdSoftphoneSession: softphoneControlRoute,
    resumeSoftphoneSession: softphoneControlRoute,
    sendSoftphoneDigits: softphoneControlRoute,
    transferSoftphoneSession: softphoneControlRoute,
    noteSoftphoneSession: softphoneNoteRoute,
    endSoftphoneSession: endSoftphoneRoute,
  },
  Subscription: {
    agentStatuses: listAgentsRoute,
    campaignProgress: getCampaignRoute,
    conference: getConferenceRoute,
    intentAlerts: liveCallStreamRoute,
    liveCall: liveCallStreamRoute,
    liveCalls: liveCallStreamRoute,
    monitorDesk: listLiveCallsRoute,
    overview: overviewRoute,
    runtimeEvents: runtimeEventStreamRoute,
    softphoneSession: softphoneEventsRoute,
  },
  Campaign: {
    lines: listLinesRoute,
    progress: getCampaignRoute,
    preflight: preflightCampaignRoute,
    notDialedReasons: getCampaignRoute,
    contacts: listContactsRoute,
    attempts: listAttemptsRoute,
    batches: listBatchesRoute,
  },
  Agent: { group: listAgentsRoute },
  SoftphoneCall: { agent: listAgentsRoute, campaign: getCampaignRoute, contact: listContactsRoute },
  Conference: { attempt: getAttemptRoute, campaign: getCampaignRoute },
  LiveCall: { timeline: listTranscriptSegmentsRoute },
  Policy: { campaign: getCampaignRoute },
  Contact: { campaign: getCampaignRoute, lastAttempt: getAttemptRoute },
  Attempt: {
    campaign: getCampaignRoute,
    contact: listContactsRoute,
    line: listLinesRoute,
    timeline: listTranscriptSegmentsRoute,
    transcript: listTranscriptSegmentsRoute,
  },
};
