import { describe, expect, test } from '@jest/globals';
import { isObjectType } from 'graphql';
import * as attempts from '#contract/rest/attempts.ts';
import * as auditLogs from '#contract/rest/audit-logs.ts';
import * as batches from '#contract/rest/batches.ts';
import * as businesses from '#contract/rest/businesses.ts';
import * as campaigns from '#contract/rest/campaigns.ts';
import * as contacts from '#contract/rest/contacts.ts';
import * as dispatch from '#contract/rest/dispatch.ts';
import * as doNotCall from '#contract/rest/do-not-call.ts';
import * as importing from '#contract/rest/importing.ts';
import * as lines from '#contract/rest/lines.ts';
import * as policies from '#contract/rest/policies.ts';
import * as retry from '#contract/rest/retry.ts';
import * as scripts from '#contract/rest/scripts.ts';
import * as users from '#contract/rest/users.ts';
import { ACCESS_TABLE } from '#edges/graphql/access-table.ts';
import { createSchema } from '#edges/graphql/schema.ts';

const schema = createSchema();

/** Every REST row about what people manage, and the field that does the same; or why there is none. */
const PARITY: Record<string, string[] | { none: string }> = {
  'GET /api/campaigns': ['Query.campaigns'],
  'POST /api/campaigns': ['Mutation.createCampaign'],
  'GET /api/campaigns/:id': ['Query.campaign'],
  'PATCH /api/campaigns/:id': ['Mutation.updateCampaign', 'Mutation.startCampaign', 'Mutation.pauseCampaign', 'Mutation.archiveCampaign'],
  'DELETE /api/campaigns/:id': ['Mutation.deleteCampaign'],
  'GET /api/campaigns/:id/preflight': ['Campaign.preflight'],
  'GET /api/campaigns/:id/contacts': ['Query.contacts', 'Campaign.contacts'],
  'POST /api/campaigns/:id/contacts': ['Mutation.addContacts'],
  'PATCH /api/campaigns/:id/contacts/:contactId': ['Mutation.updateContact'],
  'DELETE /api/campaigns/:id/contacts/:contactId': ['Mutation.deleteContacts'],
  'POST /api/campaigns/:id/contacts/pause': ['Mutation.pauseContacts'],
  'POST /api/campaigns/:id/contacts/delete': ['Mutation.deleteContacts'],
  'POST /api/campaigns/:id/import-files': { none: 'uploads stay on REST' },
  'POST /api/campaigns/:id/dispatch': ['Mutation.dispatchCampaign'],
  'POST /api/campaigns/:id/retry': ['Mutation.retryContacts'],
  'GET /api/campaigns/:id/batches': ['Campaign.batches'],
  'POST /api/campaigns/:id/batches/:batchId/cancel': ['Mutation.cancelBatch'],
  'GET /api/call-attempts': ['Query.attempts', 'Campaign.attempts'],
  'GET /api/call-attempts/:attemptId': ['Query.attempt'],
  'GET /api/call-attempts/:id/transcript-segments': ['Attempt.transcript'],
  'POST /api/call-attempts/delete': ['Mutation.deleteAttempts'],
  'GET /api/businesses': ['Query.businesses'],
  'GET /api/lines': ['Query.lines', 'Campaign.lines'],
  'POST /api/lines': ['Mutation.createLine'],
  'PATCH /api/lines/:id': ['Mutation.updateLine'],
  'DELETE /api/lines/:id': ['Mutation.deleteLine'],
  'GET /api/policies': ['Query.policies'],
  'POST /api/policies': ['Mutation.createPolicy'],
  'PATCH /api/policies/:id': ['Mutation.updatePolicy'],
  'DELETE /api/policies/:id': ['Mutation.deletePolicy'],
  'POST /api/policies/evaluate': ['Query.explainPolicy'],
  'GET /api/dnc': ['Query.doNotCallEntries'],
  'POST /api/dnc': ['Mutation.addDoNotCall'],
  'DELETE /api/dnc/:id': ['Mutation.removeDoNotCall'],
  'GET /api/v1/scripts': ['Query.scripts'],
  'POST /api/v1/scripts': ['Mutation.saveScript'],
  'DELETE /api/v1/scripts/:id': ['Mutation.deleteScript'],
  'GET /api/v1/scripts/:id/runtime': { none: 'internal: for the call-flow runtime' },
  'GET /api/users': ['Query.users'],
  'POST /api/users': ['Mutation.createUser'],
  'PATCH /api/users/:id': ['Mutation.updateUser'],
  'DELETE /api/users/:id': ['Mutation.deleteUser'],
  'GET /api/audit-logs': ['Query.auditLogs'],
};

interface Row {
  method: string;
  path: string;
  access: string;
}

const rows: Row[] = [
  attempts,
  auditLogs,
  batches,
  businesses,
  campaigns,
  contacts,
  dispatch,
  doNotCall,
  importing,
  lines,
  policies,
  retry,
  scripts,
  users,
].flatMap(module => Object.values(module).flatMap(value => (isRow(value) ? [value] : [])));

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
}

describe('GraphQL does what REST does in this slice', () => {
  test('every REST row has its field, or a reason', () => {
    expect(rows.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(PARITY).sort());
  });

  test.each(rows.map(row => [`${row.method} ${row.path}`, row] as const))('%s asks for the same permission on both edges', (name, row) => {
    const fields = PARITY[name];
    for (const path of Array.isArray(fields) ? fields : []) {
      const [type = '', field = ''] = path.split('.');
      const object = schema.getType(type);
      expect(isObjectType(object) && object.getFields()[field]).toBeTruthy();
      expect(ACCESS_TABLE[type]?.[field]?.access).toBe(row.access);
    }
  });
});
