/**
 * Test, or group of tests, that proves a row of OCS section 4 or a rule, one per line: rule :: file :: title. A rule may have several.
 *
 * Shape: a row is named as in interface-rows.ts, a rule as `D6.2`, `OCS 4.8 rule 1`
 */
export const RULE_TESTS = String.raw`
GET /health :: test/contract/health/health.test.ts :: is public and returns service, version and every dependency [OCS 4.1, D14.1]
GET /api/overview :: test/contract/overview/overview.test.ts :: an idle server returns zeros, with every status named [D14.2]
GET /api/overview/trend :: test/contract/overview/overview.test.ts :: returns 14 days, the oldest first, today last, days without calls included [OCS 4.1, 8; D14.2]
GET /api/media/config :: test/contract/health/health.test.ts :: returns the addresses and a prefix for each cell that has one [OCS 2.13, 4.16]
GET /api/runtime/overview :: test/contract/runtime-overview/runtime-overview.test.ts :: returns every field of OCS 2.12
GET /api/runtime/events :: test/contract/runtime-events/runtime-events.test.ts :: is an event stream with the headers of D10
PATCH /api/runtime/events/:id/acknowledge :: test/contract/runtime-events/runtime-events.test.ts :: acknowledges the event for all users; the first acknowledgement stays [OCS 4.1, D10]
GET /api/audit-logs :: test/contract/audit-logs/audit-logs.test.ts :: pages rows with actor, action and address, newest first [OCS 4.1, D3.7]
GET /api/nlu/capabilities :: test/contract/health/nlu-capabilities.test.ts :: forwards the listing, with the token to the service and not to the browser [OCS 4.1]
POST /api/auth/login :: test/contract/access/login.test.ts :: returns token, expiry, user and permissions [OCS 2.4]
POST /api/auth/logout :: test/contract/access/login.test.ts :: ends this session and returns its user [OCS 4.2]
GET /api/auth/me :: test/contract/access/login.test.ts :: is never 401: without a session it reports that [D3.4]
GET /api/roles/permissions :: test/contract/access/login.test.ts :: lists permissions and roles in Chinese [OCS 2.4, D3.1]
GET /api/businesses :: test/contract/businesses/list-businesses.test.ts :: lists the enabled businesses of the configuration to any session [OCS 4.3, 2.11, D1.3]
GET /api/v1/scripts :: test/contract/scripts/scripts.test.ts :: lists newest first; q and businessCode filter it [OCS 4.3, D2.4]
POST /api/v1/scripts :: test/contract/scripts/scripts.test.ts :: creates a script and returns it with its body [OCS 4.3, D11]
DELETE /api/v1/scripts/:id :: test/contract/scripts/scripts.test.ts :: hides the script; pinned versions stay [OCS 4.3]
GET /api/v1/scripts/:id/runtime :: test/contract/scripts/scripts.test.ts :: returns the minimal JSON with its hash as ETag [OCS 4.3, D11]
GET /api/lines :: test/contract/lines/lines.test.ts :: lists newest first with numbers in their order [OCS 4.4, D2.4]
POST /api/lines :: test/contract/lines/lines.test.ts :: stores a line with its defaults and returns the whole row [OCS 2.5, D4.1]
PATCH /api/lines/:id :: test/contract/lines/lines.test.ts :: accepts any subset [D4.2]
DELETE /api/lines/:id :: test/contract/lines/lines.test.ts :: removes an unused line and frees its code [OCS 4.4]
GET /api/campaigns :: test/contract/campaigns/read-campaigns.test.ts :: pages newest first, 50 unless asked otherwise [OCS 2.2, D2.4]
POST /api/campaigns :: test/contract/campaigns/create-campaign.test.ts :: stores a draft with the defaults [OCS 2.6, D5.1, D5.3]
GET /api/campaigns/:id :: test/contract/campaigns/read-campaigns.test.ts :: returns the campaign with samples of its contacts, attempts and batches [OCS 2.6]
PATCH /api/campaigns/:id :: test/contract/campaigns/update-campaign.test.ts :: accepts any subset and keeps the rest [OCS 4.5]
DELETE /api/campaigns/:id :: test/contract/campaigns/read-campaigns.test.ts :: deletes an empty campaign [OCS 4.5]
GET /api/campaigns/:id/preflight :: test/contract/campaigns/preflight.test.ts :: returns everything that a start would run into [D5.6]
GET /api/campaigns/:id/contacts :: test/contract/contacts/contacts.test.ts :: pages newest first and filters by status and text; totals are exact [OCS 4.6, D2.4]
POST /api/campaigns/:id/contacts :: test/contract/contacts/contacts.test.ts :: adds contacts and returns the counts [OCS 4.6, 2.7]
PATCH /api/campaigns/:id/contacts/:contactId :: test/contract/contacts/contacts.test.ts :: accepts any subset [D6.2]
DELETE /api/campaigns/:id/contacts/:contactId :: test/contract/contacts/contacts.test.ts :: soft-deletes one contact [OCS 4.6]
POST /api/campaigns/:id/contacts/pause :: test/contract/contacts/contacts.test.ts :: pauses the listed contacts; busy, paused and unknown ones are skipped [D6.2, OCS §3]
POST /api/campaigns/:id/contacts/delete :: test/contract/contacts/contacts.test.ts :: deletes the listed contacts except busy ones [D6.2]
POST /api/campaigns/:id/import-files :: test/contract/importing/import-file.test.ts :: imports a CSV and returns every rejected row [OCS 4.7, 2.7, D6.3–5]
POST /api/campaigns/:id/dispatch :: test/integration/dialling/manual-dispatch.test.ts :: dials a manual batch of a draft and returns each attempt [D7.4]
POST /api/campaigns/:id/retry :: test/contract/retry/retry-contacts.test.ts :: puts %s contacts back with a fresh count [OCS 4.8, D5.5]
GET /api/campaigns/:id/batches :: test/contract/batches/list-batches.test.ts :: pages the campaign's batches, newest first [OCS 4.8, D7.3]
POST /api/campaigns/:id/batches/:batchId/cancel :: test/integration/dialling/campaign-run.test.ts :: cancelling a batch returns undialled contacts to pending; dialled calls go on [D7.3]
GET /api/call-attempts :: test/contract/attempts/list-attempts.test.ts :: lists newest first, without deleted ones [OCS 4.8, D2.4]
GET /api/call-attempts/:attemptId :: test/contract/attempts/list-attempts.test.ts :: returns the whole attempt [D7.9, OCS 4.16]
GET /api/call-attempts/:id/transcript-segments :: test/contract/attempts/transcript-segments.test.ts :: returns the utterances of each speaker in order [OCS 4.8]
POST /api/call-attempts/delete :: test/contract/attempts/delete-attempts.test.ts :: hides closed records, clears the contacts' references and skips the rest [OCS 4.8]
GET /api/policies :: test/contract/policies/manage-policies.test.ts :: lists by priority, higher first, and by campaign [OCS 4.9, D8.2]
POST /api/policies :: test/contract/policies/manage-policies.test.ts :: returns the policy with its defaults [OCS 2.9, D2.3, D2.5]
PATCH /api/policies/:id :: test/contract/policies/manage-policies.test.ts :: accepts any subset and validates the whole [OCS 4.9, D8.2]
DELETE /api/policies/:id :: test/contract/policies/manage-policies.test.ts :: a deleted policy is gone [OCS 4.9]
POST /api/policies/evaluate :: test/contract/policies/evaluate-policies.test.ts :: allows with the campaign's own limits when nothing forbids [OCS 2.9, D8.5]
GET /api/dnc :: test/contract/do-not-call/do-not-call.test.ts :: matches q anywhere in number and reason, newest first; wildcards are plain text [OCS 4.10, D2.4]
POST /api/dnc :: test/contract/do-not-call/do-not-call.test.ts :: adds a number without expiry when expiresAt is null or empty [OCS 2.10, D8.7]
DELETE /api/dnc/:id :: test/contract/do-not-call/do-not-call.test.ts :: removes the entry and frees the contacts that it held [D8.6]
POST /api/call-results :: test/integration/dialling/manual-dispatch.test.ts :: started, captions, ended, result; repeats are duplicates; a later result fills empty fields only [D7.7, D9.1]
POST /api/call-progress :: test/integration/dialling/manual-dispatch.test.ts :: started, captions, ended, result; repeats are duplicates; a later result fills empty fields only [D7.7, D9.1]
GET /api/live-calls/events :: test/contract/sse/live-calls.test.ts :: begins with a snapshot and sends each change of a call with its next version
GET /api/agents :: test/contract/agents/roster.test.ts :: the list has agents with their groups; a deleted agent is not in it [OCS 4.13]
POST /api/agent-groups :: test/contract/agents/roster.test.ts :: a group is created, renamed and, once empty, deleted; with agents 409 names them [OCS 4.13, D12.1]
PATCH /api/agent-groups/:groupId :: test/contract/agents/roster.test.ts :: a group is created, renamed and, once empty, deleted; with agents 409 names them [OCS 4.13, D12.1]
DELETE /api/agent-groups/:groupId :: test/contract/agents/roster.test.ts :: a group is created, renamed and, once empty, deleted; with agents 409 names them [OCS 4.13, D12.1]
POST /api/agents :: test/contract/agents/roster.test.ts :: the list has agents with their groups; a deleted agent is not in it [OCS 4.13]
PATCH /api/agents/:id :: test/contract/agents/roster.test.ts :: a lone sipUsername becomes the extension; a different one beside it gives 400 [OCS 4.13 "Compatibility"]
DELETE /api/agents/:id :: test/contract/agents/roster.test.ts :: a busy agent cannot be deleted [OCS 4.13]
GET /api/agents/me/status :: test/contract/agents/roster.test.ts :: without a bound agent the own status is null and cannot be set [OCS 4.13]
PATCH /api/agents/me/status :: test/contract/agents/roster.test.ts :: an agent sets their own status; online is stored as idle [OCS 2.13, 4.13]
PATCH /api/agents/:id/status :: test/contract/agents/roster.test.ts :: an agent changes only their own status, supervisors and administrators any [OCS 4.13]
GET /api/agents/me/sip-config :: test/contract/agents/roster.test.ts :: the password is encrypted at rest and shown only to its own agent [D12.2]
GET /api/agents/sip-configs :: test/contract/agents/roster.test.ts :: the password is encrypted at rest and shown only to its own agent [D12.2]
POST /api/transfers/route :: test/integration/conferences/transfer.test.ts :: rings one idle agent, who meets the customer in a conference
GET /api/conference-sessions :: test/integration/conferences/transfer.test.ts :: rings one idle agent, who meets the customer in a conference
POST /api/conference-sessions/:conferenceId/participants :: test/integration/conferences/participants.test.ts :: listening requires a supervisor; transferring requires a participant
GET /api/agents/extensions :: test/contract/agents/roster.test.ts :: extensions of the switch are listed with their agents and the reachability of the switch [OCS 2.13]
GET /api/agents/phone-statuses :: test/contract/agents/roster.test.ts :: a registration follows the switch's events [OCS 2.13, test/fixtures/esl/README.md §4]
POST /api/transfers/end :: test/integration/conferences/transfer.test.ts :: an end before its route: the customer has left, no agent is reserved
GET /api/conference-sessions/:conferenceId :: test/integration/conferences/participants.test.ts :: a blind transfer: the transferring agent leaves when the other has answered, and the customer stays
DELETE /api/conference-sessions/:conferenceId/participants/:softphoneCallId :: test/integration/conferences/participants.test.ts :: the last agent of a live customer stays without force: 409; with it the session ends and nobody is left
GET /api/live-calls :: test/contract/live-calls/monitoring.test.ts :: an agent sees the calls assigned to them, a supervisor all, with the capacity of all
POST /api/live-monitor/heartbeat :: test/contract/live-calls/monitoring.test.ts :: an agent who is busy has no capacity [D9.4]
DELETE /api/live-monitor/presence :: test/contract/live-calls/monitoring.test.ts :: an agent sees the calls assigned to them, a supervisor all, with the capacity of all
POST /api/live-calls/:callKey/release :: test/contract/live-calls/monitoring.test.ts :: a released call does not return; only its monitor may release it
POST /api/live-calls/:callKey/hangup :: test/contract/live-calls/monitoring.test.ts :: a supervisor hangs up: NORMAL_CLEARING at the switch, audit row, runtime event; again: 409 [D9.6]
POST /api/live-calls/:callKey/intervene :: test/contract/states/intervention-status.test.ts :: no request | POST intervene | first claim (atomic) | requested
POST /api/live-calls/:callKey/intervention/cancel :: test/contract/states/intervention-status.test.ts :: requested | POST intervention cancel | caller is the initiator | request withdrawn
POST /api/softphone-sessions :: test/integration/softphones/softphone.test.ts :: creates the record first, then the runtime session: number and headers for the browser
GET /api/softphone-sessions/:sessionId/events :: test/integration/softphones/softphone.test.ts :: sends session, message and tts in order and ends with the session; afterwards 410 [D2.7]
POST /api/softphone-sessions/:sessionId/messages :: test/integration/softphones/softphone.test.ts :: typed text is spoken to the customer; the timeline, speech and transcript are stored
POST /api/softphone-sessions/:sessionId/controls :: test/integration/softphones/softphone.test.ts :: hold, resume, digits and a transfer apply to the customer leg
POST /api/softphone-sessions/:sessionId/notes :: test/contract/conferences/refusals.test.ts :: a note is accepted after the end too, and shown in the detail
POST /api/softphone-sessions/:sessionId/end :: test/integration/softphones/softphone.test.ts :: the end removes conference, legs and recording; again: false
GET /api/softphone-calls/:softphoneCallId :: test/integration/softphones/softphone.test.ts :: typed text is spoken to the customer; the timeline, speech and transcript are stored
D2.7 :: test/integration/softphones/softphone.test.ts :: sends session, message and tts in order and ends with the session; afterwards 410 [D2.7]
POST /api/agents/:id/callbacks :: test/contract/agents/calls.test.ts :: a callback and a transfer are recorded with their direction; a hang-up by the agent ends the customer's leg [OCS 2.13]
POST /api/agents/:id/manual-calls :: test/contract/agents/calls.test.ts :: rings the agent first, then the customer on the campaign line, connects them, and ends with the customer [OCS 4.13, D12.3]
POST /api/agents/:id/transfers :: test/contract/agents/calls.test.ts :: a callback and a transfer are recorded with their direction; a hang-up by the agent ends the customer's leg [OCS 2.13]
GET /api/softphone-calls :: test/contract/agents/calls.test.ts :: is paged newest first and filtered by agent and campaign [OCS 4.13, D2.4]
GET /api/users :: test/contract/users/users.test.ts :: pages newest first; q searches user name and display name [OCS 4.17, D2.4]
POST /api/users :: test/contract/users/users.test.ts :: stores a user who can log in; the response contains no password [OCS 4.17, D2.6]
PATCH /api/users/:id :: test/contract/users/users.test.ts :: changes given members only [OCS 4.17]
DELETE /api/users/:id :: test/contract/users/users.test.ts :: hides the user and ends their sessions [OCS 4.17, D3.2]
OCS 2.1 :: test/contract/envelope/app.test.ts :: is 200 with code 0000, the data and msg ok [D2.1, D2.3]
OCS 2.1 :: test/contract/envelope/app.test.ts :: %s has its status and envelope [OCS 7, D2.1]
OCS 2.2 :: test/contract/campaigns/read-campaigns.test.ts :: pages newest first, 50 unless asked otherwise [OCS 2.2, D2.4]
OCS 2.3 rule 1 :: test/unit/kernel/permissions.test.ts :: an agent can only operate the softphone [D3.1, OCS 2.3 rule 1]
OCS 2.3 rule 2 :: test/unit/kernel/permissions.test.ts :: supervisor has all except admin and line:write [D3.1]
OCS 2.3 rule 3 :: test/unit/kernel/permissions.test.ts :: role rows have Chinese labels and the permission matrix [OCS 2.4]
OCS 2.4 :: test/contract/access/login.test.ts :: returns token, expiry, user and permissions [OCS 2.4]
OCS 2.5 :: test/contract/lines/lines.test.ts :: stores a line with its defaults and returns the whole row [OCS 2.5, D4.1]
OCS 2.6 :: test/contract/campaigns/create-campaign.test.ts :: stores every given member [OCS 2.6]
OCS 2.7 :: test/unit/imports/import-file.test.ts :: totalRows = createdRows + duplicateRows + failedRows; skippedRows = duplicateRows + failedRows [OCS 2.7]
OCS 2.8 :: test/integration/dialling/manual-dispatch.test.ts :: dials a manual batch of a draft and returns each attempt [D7.4]
OCS 2.9 :: test/contract/policies/evaluate-policies.test.ts :: allows with the campaign's own limits when nothing forbids [OCS 2.9, D8.5]
OCS 2.10 :: test/contract/do-not-call/do-not-call.test.ts :: adds a number without expiry when expiresAt is null or empty [OCS 2.10, D8.7]
OCS 2.11 :: test/contract/businesses/list-businesses.test.ts :: lists the enabled businesses of the configuration to any session [OCS 4.3, 2.11, D1.3]
OCS 2.12 :: test/contract/runtime-overview/runtime-overview.test.ts :: returns every field of OCS 2.12
OCS 2.13 :: test/contract/health/health.test.ts :: returns the addresses and a prefix for each cell that has one [OCS 2.13, 4.16]
OCS 2.14 :: test/contract/attempts/list-attempts.test.ts :: returns the whole attempt [D7.9, OCS 4.16]
OCS 3 any → running :: test/contract/states/campaign-status.test.ts :: any except archived | PATCH status running | has pending or retryable contacts, or an active call, or a future retry | run
OCS 3 running, nothing to call :: test/contract/states/campaign-status.test.ts :: any | PATCH status running | no pending or retryable contact and no active call | unchanged, 409
OCS 3 archived → running :: test/contract/states/campaign-status.test.ts :: archived | PATCH status running | always | unchanged, 409
OCS 3 running → paused :: test/contract/states/campaign-status.test.ts :: running | PATCH status paused | paused, automatic dispatch stops
OCS 3 contact → pending :: test/contract/states/contact-and-batch-status.test.ts :: failed, submitted, completed, paused | POST retry | matches the given status or contactIds | pending
OCS 3 contact → paused :: test/contract/states/contact-and-batch-status.test.ts :: contact | POST bulk pause | listed contacts | paused
OCS 3 contact dispatched :: test/contract/states/contact-and-batch-status.test.ts :: pending | dispatch | call accepted by the switch
OCS 3 contact deleted :: test/contract/states/contact-and-batch-status.test.ts :: contact | DELETE or bulk delete | soft-deleted
OCS 3 batch cancelled :: test/contract/states/contact-and-batch-status.test.ts :: running | POST batch cancel | batch is still running
OCS 3 agent status :: test/contract/states/agent-status.test.ts :: any | PATCH status with idle, busy or offline | own agent, or supervisor/admin for any agent | requested value
OCS 3 agent status, unregistered :: test/contract/states/agent-status.test.ts :: any | PATCH status to idle or busy | phone registration is not registered | unchanged, rejected [D12.1: 409]
OCS 3 intervention claimed :: test/contract/states/intervention-status.test.ts :: no request | POST intervene | first claim (atomic) | requested
OCS 3 intervention claimed again :: test/contract/states/intervention-status.test.ts :: requested | POST intervene again | unchanged, 409
OCS 3 intervention withdrawn :: test/contract/states/intervention-status.test.ts :: requested | POST intervention cancel | caller is the initiator | request withdrawn
OCS 3 intervention consumed, withdrawn :: test/contract/states/intervention-status.test.ts :: consumed (transfer started) | POST intervention cancel | unchanged, 409
OCS 3 intervention at a node boundary :: test/contract/states/intervention-status.test.ts :: requested | node boundary reached | consumed, transfer begins
OCS 4.7 rule 1 :: test/contract/importing/import-file.test.ts :: imports a CSV and returns every rejected row [OCS 4.7, 2.7, D6.3–5]
OCS 4.7 rule 2 :: test/contract/importing/import-file.test.ts :: a %s campaign accepts a file [OCS 4.7 rule 2]
OCS 4.7 rule 3 :: test/contract/importing/import-file.test.ts :: a failure of the database rolls the whole file back [OCS 4.7 rule 3]
OCS 4.7 rule 4 :: test/contract/importing/import-file.test.ts :: a file of 5 MiB is read, one byte more gives 413 [OCS 4.7 rule 4, OCS §8]
OCS 4.7 rule 5 :: test/contract/coverage/interface-rows.test.ts :: documents, pages and GraphQL are outside the table [D2.2]
OCS 4.8 rule 1 :: test/integration/dialling/manual-dispatch.test.ts :: a policy that forbids dispatch gives 409 with the same text as error [OCS 4.8 rule 1, D7.5]
OCS 4.8 rule 2 :: test/integration/dialling/manual-dispatch.test.ts :: a held campaign lock gives 409 [OCS 4.8 rule 2, D7.5]
OCS 4.8 rule 3 :: test/integration/dialling/manual-dispatch.test.ts :: without a dispatchable contact no batch is recorded [OCS 4.8 rule 3]
OCS 4.9 both scopes :: test/unit/policies/evaluate-campaign.test.ts :: both scopes must allow [OCS 4.9, D8.3]
OCS 4.10 :: test/contract/policies/evaluate-policies.test.ts :: refuses a number on the do-not-call list, which is not a policy [OCS 4.10, D8.5]
OCS 4.16 :: test/contract/attempts/list-attempts.test.ts :: returns the whole attempt [D7.9, OCS 4.16]
OCS 4.16 :: test/contract/health/health.test.ts :: returns the addresses and a prefix for each cell that has one [OCS 2.13, 4.16]
OCS 5 rule 1 :: test/contract/access/auth-off.test.ts :: everything is allowed without a session [OCS 5 rule 1]
OCS 5 rule 2 :: test/contract/access/login.test.ts :: returns token, expiry, user and permissions [OCS 2.4]
OCS 5 rule 3 :: test/contract/access/bootstrap.test.ts :: is created once when servers start together, and the creation is audited [D3.7]
OCS 5 rule 4 :: test/contract/access/auth-off.test.ts :: internal endpoints accept requests with an empty token [OCS 5 rule 4]
OCS 5 rule 4 :: test/contract/scripts/scripts.test.ts :: requires the internal token; a session is no substitute [OCS 5 rule 4, D3.6]
OCS 5 rule 5 :: test/contract/envelope/app.test.ts :: ?access_token= is accepted only for event streams, and never logged [D3.5]
OCS 5 rule 6 :: test/contract/health/health.test.ts :: is public and returns service, version and every dependency [OCS 4.1, D14.1]
OCS 6 runtime events :: test/contract/runtime-events/runtime-events.test.ts :: sends events by level, each with its row and an id [D10]
OCS 7 200 :: test/contract/envelope/app.test.ts :: is 200 with code 0000, the data and msg ok [D2.1, D2.3]
OCS 7 400 :: test/contract/fuzz/fuzz.test.ts :: every route returns 2xx or an enveloped 4xx in Chinese that changed nothing, whatever the request [D2.1, D2.2, OCS 7]
OCS 7 400 sipUsername :: test/contract/agents/roster.test.ts :: a lone sipUsername becomes the extension; a different one beside it gives 400 [OCS 4.13 "Compatibility"]
OCS 7 401 :: test/contract/envelope/app.test.ts :: no session and a wrong one are 401 [OCS 7]
OCS 7 403 :: test/contract/envelope/app.test.ts :: a missing permission is 403 naming it, before the body is validated [OCS 7]
OCS 7 404 :: test/contract/attempts/list-attempts.test.ts :: a %s attempt gives 404 [OCS 4.8, 7]
OCS 7 409 :: test/contract/lines/lines.test.ts :: an existing code gives 409 and stores nothing [OCS 2.5]
OCS 7 410 :: test/contract/envelope/app.test.ts :: %s has its status and envelope [OCS 7, D2.1]
OCS 7 413 :: test/contract/importing/import-file.test.ts :: a file of 5 MiB is read, one byte more gives 413 [OCS 4.7 rule 4, OCS §8]
OCS 7 500 :: test/contract/envelope/app.test.ts :: a bug returns only its trace id; the log has the id and the error [D2.1]
OCS 7 502 :: test/contract/health/nlu-capabilities.test.ts :: %s is 502 [OCS 4.1]
OCS 7 503 :: test/contract/health/outage.test.ts :: sessions give 503, health is down and names the cache [D14.1, OCS 7]; recovers by itself
OCS 7 504 :: test/contract/health/nlu-capabilities.test.ts :: a late response is 504 [OCS 4.1]
OCS 8 dispatch limit :: test/integration/dialling/manual-dispatch.test.ts :: clamps the limit to 1..100 and refuses a value that is not an integer [D7.4]
OCS 8 file import :: test/contract/importing/import-file.test.ts :: a file of 5 MiB is read, one byte more gives 413 [OCS 4.7 rule 4, OCS §8]
OCS 8 paging :: test/contract/envelope/app.test.ts :: a page size over 200 is clamped, a page below 1 refused
OCS 8 paste import :: test/contract/contacts/contacts.test.ts :: accepts 10,000 rows and refuses one more with nothing written [OCS 4.6, OCS §8]
OCS 8 trend days :: test/contract/overview/overview.test.ts :: %s days give as many rows [OCS 8]
OCS 9 businessConfig :: test/contract/campaigns/update-campaign.test.ts :: top-level variables and intentKeywords give 400 [OCS 2.6, D2.2]
OCS 9 online :: test/contract/agents/roster.test.ts :: an agent sets their own status; online is stored as idle [OCS 2.13, 4.13]
OCS 9 sipUsername :: test/contract/agents/roster.test.ts :: a lone sipUsername becomes the extension; a different one beside it gives 400 [OCS 4.13 "Compatibility"]
OCS 9 versions :: test/contract/coverage/interface-rows.test.ts :: every row is served, or listed as not served
D2.1 :: test/contract/envelope/app.test.ts :: a bug returns only its trace id; the log has the id and the error [D2.1]
D2.1 :: test/contract/fuzz/fuzz.test.ts :: every route returns 2xx or an enveloped 4xx in Chinese that changed nothing, whatever the request [D2.1, D2.2, OCS 7]
D2.2 :: test/contract/envelope/app.test.ts :: a known path with another method is 405 with Allow
D2.2 :: test/contract/envelope/app.test.ts :: a body over the limit is 413, sent even while the client is still sending
D2.2 :: test/contract/envelope/app.test.ts :: %s is 415
D2.2 :: test/contract/envelope/app.test.ts :: unknown fields are ignored
D2.3 :: test/contract/envelope/app.test.ts :: is 200 with code 0000, the data and msg ok [D2.1, D2.3]
D2.3 :: test/contract/policies/manage-policies.test.ts :: returns the policy with its defaults [OCS 2.9, D2.3, D2.5]
D2.4 :: test/contract/envelope/app.test.ts :: a page size over 200 is clamped, a page below 1 refused
D2.4 :: test/integration/contacts/contact-search.test.ts :: finds and counts exactly the contacts that contain the text, after every change [D2.4, OCS 4.6]
D2.5 :: test/contract/policies/manage-policies.test.ts :: returns the policy with its defaults [OCS 2.9, D2.3, D2.5]
D2.5 :: test/unit/protocol/reports.test.ts :: reads a time without zone in the business time zone [D2.5]
D2.6 :: test/contract/envelope/app.test.ts :: an id that no row can have is 404, a malformed one 400 [D2.6]
D2.6 :: test/contract/lines/lines.test.ts :: an id that is not a positive integer gives 400 [D2.6]
D2.7 :: test/contract/envelope/app.test.ts :: %s has its status and envelope [OCS 7, D2.1]
D2.8 :: test/contract/envelope/app.test.ts :: a preflight is 204 without envelope
D2.8 :: test/contract/envelope/app.test.ts :: another origin is refused
D3.1 :: test/contract/access/permission-matrix.test.ts :: %s (%s)
D3.2 :: test/contract/access/login.test.ts :: stores no token: only its hash is in the cache [D3.2]
D3.2 :: test/contract/sse/live-calls.test.ts :: the end of the session ends the stream [D3.2]
D3.3 :: test/contract/access/login-limit.test.ts :: the sixth attempt of a user at an address within 15 min is 429 with Retry-After, even with the right password
D3.3 :: test/contract/access/login-limit.test.ts :: 30 failures of an address in 5 min block it, whatever the user names; a /64 counts as one address
D3.4 :: test/contract/access/auth-off.test.ts :: me is a built-in admin with all permissions [D3.4]
D3.4 :: test/contract/access/login.test.ts :: is never 401: without a session it reports that [D3.4]
D3.5 :: test/contract/envelope/app.test.ts :: ?access_token= is accepted only for event streams, and never logged [D3.5]
D3.5 :: test/contract/runtime-events/runtime-events.test.ts :: accepts access_token in the query; without a session it is 401 [D3.5]
D3.6 :: test/contract/envelope/app.test.ts :: a session token is no substitute for the internal one [D3.6]
D3.6 :: test/contract/envelope/hot-path.test.ts :: %s gets the same response as from Express [D2.1, D2.2, D3.6]
D3.7 :: test/contract/fuzz/fuzz.test.ts :: every route returns 2xx or an enveloped 4xx in Chinese that changed nothing, whatever the request [D2.1, D2.2, OCS 7]
D3.7 :: test/contract/audit-logs/audited-actions.test.ts :: $name leaves one row with actor, action and target, and no secret [D3.7]
D3.7 :: test/contract/audit-logs/audited-actions.test.ts :: every route that changes something has a case, or is listed as unaudited [D3.7, OCS 4]
D3.7 :: test/contract/audit-logs/audit-logs.test.ts :: pages rows with actor, action and address, newest first [OCS 4.1, D3.7]
D3.7 :: test/unit/audit/audited-actions.test.ts :: every action has the form noun.verbed [D3.7]
D3.7 :: test/contract/audit-logs/access-rows.test.ts :: a flood leaves as many rows as the limit counts, and one row when the block begins
D3.7 :: test/contract/audit-logs/access-rows.test.ts :: a transcript: one row per reader, however often they read it
D3.7 :: test/contract/audit-logs/access-rows.test.ts :: one call by a subscription
D3.7 :: test/contract/audit-logs/changes.test.ts :: $of: only the changed members; the same values again add nothing [D3.7]
D4.1 :: test/contract/lines/lines.test.ts :: stores a line with its defaults and returns the whole row [OCS 2.5, D4.1]
D4.1 :: test/contract/lines/lines.test.ts :: a number has weight 1, one call and is enabled by default [D4.1]
D4.2 :: test/contract/lines/lines.test.ts :: accepts any subset [D4.2]
D4.3 :: test/unit/dialling/dial-grants.test.ts :: no retry keeps its last caller number if a swap with another contact can avoid it [D4.3]
D4.3 :: test/integration/slots/slot-registry.test.ts :: a retry gets another number than its last one while one is free [D4.3]
D4.3 :: test/integration/slots/slot-registry.test.ts :: number_pool rotates smoothly by weight [D4.3]
D4.4 :: test/unit/platform/freeswitch/originate-command.test.ts :: caller_id_only sets name and number
D4.5 :: test/unit/platform/freeswitch/channel-variables.test.ts :: only string values are used; others are ignored silently [OCS 2.6, 2.7]
D5.1 :: test/contract/campaigns/create-campaign.test.ts :: stores a draft with the defaults [OCS 2.6, D5.1, D5.3]
D5.1 :: test/unit/actors/campaign-phase.test.ts :: a campaign that %s [D5.1]
D5.2 :: test/contract/campaigns/update-campaign.test.ts :: draft → archived; archived is read-only [D5.2]
D5.2 :: test/contract/campaigns/update-campaign.test.ts :: archiving with a live call gives 409 [D5.2]
D5.3 :: test/contract/campaigns/create-campaign.test.ts :: stores a draft with the defaults [OCS 2.6, D5.1, D5.3]
D5.3 :: test/contract/campaigns/create-campaign.test.ts :: refuses %j: %s [OCS 2.6, D5.3, D5.4, D2.1]
D5.4 :: test/contract/campaigns/create-campaign.test.ts :: refuses %j: %s [OCS 2.6, D5.3, D5.4, D2.1]
D5.4 :: test/contract/campaigns/create-campaign.test.ts :: variables keeps string values; keywords are trimmed, unique and not empty; empty groups are left out [OCS 2.6, D5.4]
D5.5 :: test/contract/contacts/contacts.test.ts :: ids follow the order of the rows, by which contacts are dialled [D5.5]
D5.5 :: test/contract/contacts/contacts.test.ts :: returning to pending, or another number, ends holds; the wait for a retry stays [D6.2, D5.5]
D5.6 :: test/contract/campaigns/preflight.test.ts :: returns everything that a start would run into [D5.6]
D5.6 :: test/contract/campaigns/preflight.test.ts :: a campaign without contacts, or archived, cannot start [D5.6, OCS §3]
D5.7 :: test/integration/dialling/dial-plan.test.ts :: campaign, lines in their order with numbers, applicable policies, script and rules version, at one instant
D6.1 :: test/contract/contacts/contacts.test.ts :: an existing number, ignoring separators, is a duplicate [D6.1, OCS 2.7]
D6.1 :: test/contract/contacts/contacts.test.ts :: the same number in another campaign, or deleted here, is not a duplicate [D6.1]
D6.2 :: test/contract/contacts/contacts.test.ts :: accepts any subset [D6.2]
D6.2 :: test/contract/contacts/contacts.test.ts :: returning to pending, or another number, ends holds; the wait for a retry stays [D6.2, D5.5]
D6.3 :: test/contract/importing/import-file.test.ts :: imports a CSV and returns every rejected row [OCS 4.7, 2.7, D6.3–5]
D6.3 :: test/contract/importing/import-file.test.ts :: mapping, region, carrier and landline apply [D6.3]
D6.4 :: test/contract/importing/import-file.test.ts :: imports a CSV and returns every rejected row [OCS 4.7, 2.7, D6.3–5]
D6.4 :: test/contract/importing/import-file.test.ts :: accepts GB18030 and tab-separated files [D6.4]
D6.5 :: test/contract/importing/import-file.test.ts :: imports a CSV and returns every rejected row [OCS 4.7, 2.7, D6.3–5]
D6.5 :: test/contract/importing/import-file.test.ts :: the example list imports, and its invalid rows are reported [D6.5]
D6.6 :: test/contract/importing/import-file.test.ts :: concurrent files wait for each other, and each can be followed by the id that the client chose [D6.6]
D7.1 :: test/integration/outcomes/dial-result.test.ts :: an unanswered call fails its contact, with duration 0 and a retry after the interval [D5.5, D7.1]
D7.2 :: test/contract/attempts/list-attempts.test.ts :: returns the whole attempt [D7.9, OCS 4.16]
D7.3 :: test/contract/batches/list-batches.test.ts :: pages the campaign's batches, newest first [OCS 4.8, D7.3]
D7.3 :: test/integration/dialling/campaign-run.test.ts :: cancelling a batch returns undialled contacts to pending; dialled calls go on [D7.3]
D7.4 :: test/integration/dialling/manual-dispatch.test.ts :: dials a manual batch of a draft and returns each attempt [D7.4]
D7.4 :: test/integration/dialling/manual-dispatch.test.ts :: clamps the limit to 1..100 and refuses a value that is not an integer [D7.4]
D7.5 :: test/integration/dialling/manual-dispatch.test.ts :: a policy that forbids dispatch gives 409 with the same text as error [OCS 4.8 rule 1, D7.5]
D7.5 :: test/integration/dialling/manual-dispatch.test.ts :: a held campaign lock gives 409 [OCS 4.8 rule 2, D7.5]
D7.6 :: test/integration/dialling/manual-dispatch.test.ts :: ringback detection uses the first progress: %s [D7.6]
D7.6 :: test/integration/outcomes/dial-outcome.test.ts :: ringback is stored beside the call, its status only while the call is open [D7.6]
D7.7 :: test/integration/outcomes/dial-result.test.ts :: completes attempt and contact, with every field, a transcript and its outbox row
D7.7 :: test/integration/outcomes/dial-result.test.ts :: the same report again is a duplicate in any order of members and by any identifier
D7.7 :: test/integration/outcomes/dial-result.test.ts :: a different one fills empty fields and returns those it could not change
D7.8 :: test/unit/actors/call-machine.test.ts :: an answered call that hangs up waits for its result and keeps its slot [D7.8]
D7.8 :: test/unit/actors/call-machine.test.ts :: an answered call without a result within the grace completes with the known facts and releases its slot [D7.8]
D7.9 :: test/contract/attempts/list-attempts.test.ts :: returns the whole attempt [D7.9, OCS 4.16]
D7.10 :: test/contract/campaigns/preflight.test.ts :: counts do-not-call, blacklisted, too frequent and invalid numbers by the code that admits dials [D5.6, D7.10]
D7.10 :: test/unit/dialling/dial-admission.test.ts :: admits a contact that no rule excludes [D7.10]
D8.1 :: test/contract/policies/evaluate-policies.test.ts :: reads windows in the business time zone; global and campaign must both pass [D8.1, D8.3]
D8.1 :: test/unit/kernel/calendar.test.ts :: weekday 1 is Monday and 7 Sunday, also before 1970 [D8.1]
D8.2 :: test/contract/graphql/management.test.ts :: a config that does not fit its type is refused by name [D8.2]
D8.2 :: test/contract/policies/manage-policies.test.ts :: refuses %s, naming the member [D2.1, D8.2]
D8.3 :: test/contract/policies/evaluate-policies.test.ts :: gives the stricter of campaign and policies [OCS 4.9, D8.3]
D8.3 :: test/contract/policies/evaluate-policies.test.ts :: reads windows in the business time zone; global and campaign must both pass [D8.1, D8.3]
D8.4 :: test/contract/policies/evaluate-policies.test.ts :: counts dials of the last N × 24 h, across campaigns for a global policy [D8.4]
D8.4 :: test/unit/dialling/dial-admission.test.ts :: a frequency limit applies until the oldest dial is out of its period, then the window applies [D8.4]
D8.5 :: test/contract/policies/evaluate-policies.test.ts :: allows with the campaign's own limits when nothing forbids [OCS 2.9, D8.5]
D8.5 :: test/contract/policies/evaluate-policies.test.ts :: refuses a number on the do-not-call list, which is not a policy [OCS 4.10, D8.5]
D8.6 :: test/contract/do-not-call/do-not-call.test.ts :: removes the entry and frees the contacts that it held [D8.6]
D8.6 :: test/contract/policies/manage-policies.test.ts :: an edit increments the rules version and ends holds by policies [D8.6]
D8.7 :: test/contract/do-not-call/do-not-call.test.ts :: adds a number without expiry when expiresAt is null or empty [OCS 2.10, D8.7]
D8.7 :: test/contract/do-not-call/do-not-call.test.ts :: updates the entry of a listed number, compared without separators and +86/0086 [D8.7]
D14.1 :: test/contract/health/health.test.ts :: is public and returns service, version and every dependency [OCS 4.1, D14.1]
D14.1 :: test/contract/health/health.test.ts :: live and ready are for orchestrators [D14.1]
D14.2 :: test/contract/overview/overview.test.ts :: an idle server returns zeros, with every status named [D14.2]
D14.2 :: test/contract/overview/overview.test.ts :: counts today by result; withdrawn claims are not attempts [D14.2]
D14.3 :: test/contract/runtime-overview/runtime-overview.test.ts :: lists the stuck call among its events, with its attempt [OCS 2.12, D14.3]
D14.3 :: test/contract/runtime-events/runtime-events.test.ts :: sends events by level, each with its row and an id [D10]
D11 :: test/contract/scripts/scripts.test.ts :: creates a script and returns it with its body [OCS 4.3, D11]
D11 :: test/unit/scripts/validate-script.test.ts :: more than 500 nodes
`;

/** Rows and rules without a test; one with a test must leave this list. */
export const UNTESTED: readonly string[] = [];
