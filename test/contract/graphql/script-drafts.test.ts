import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { startTestServer, type TestServer } from '#test/support/server.ts';
import { insertAttempt, insertCampaign, insertContact } from '#test/support/rows.ts';
import { askFor } from './graphql-client.ts';

let nlu: Server;
let server: TestServer;
let beside: TestServer;
let admin: string;
let other: string;

/** Chooses 'no' for words with 不, extracts nothing; one profile. */
function answerOf(body: { action: string; text: string; branches?: { key: string }[] }) {
  if (body.text === '坏了') return null;
  if (body.action === 'extract') return { fields: {}, confidence: 0.4, reason: '没有' };
  const no = body.branches?.some(({ key }) => key === 'no') && body.text.includes('不');
  return { key: no ? 'no' : 'default', confidence: 0.87, reason: '按字面' };
}

beforeAll(async () => {
  nlu = createServer((request, response) => {
    let text = '';
    request.on('data', chunk => (text += String(chunk)));
    request.on('end', () => {
      // The server also looks whether the service is there.
      const data = text === '' ? {} : answerOf(JSON.parse(text));
      response.writeHead(data === null ? 502 : 200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(data === null ? { ok: false, error: '坏了' } : { ok: true, data }));
    });
  }).listen(0, '127.0.0.1');
  await once(nlu, 'listening');
  const address = nlu.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const config = { nlu: { url: `http://127.0.0.1:${port}` }, businesses: [{ businessCode: 'demo', businessName: '演示' }] };
  server = await startTestServer({ config });
  beside = await startTestServer({ beside: server, config });
  admin = await server.loginAs('admin');
  other = await server.loginAs('supervisor');
});
afterAll(async () => {
  await beside.close();
  await server.close();
  nlu.close();
});

// oxlint-disable-next-line typescript/no-explicit-any
const run = (query: string, variables: object = {}, at = server, token = admin): Promise<any> => askFor(at, token, query, variables);

const template = async (key: string) => {
  const { scriptTemplates } = await run('{ scriptTemplates { key body } }');
  return scriptTemplates.find((each: { key: string }) => each.key === key).body;
};
const newScript = async (key = 'survey') => {
  const input = { name: '回访', businessCode: 'demo', isEnabled: false, ...(await template(key)) };
  const { saveScript } = await run('mutation($input: SaveScriptInput!) { saveScript(input: $input) { ... on Script { databaseId } } }', {
    input,
  });
  return String(saveScript.databaseId);
};
const DRAFT =
  '... on ScriptDraft { revision basedOn body updatedBy { displayName } faults { field nodeId problem isBlocking } } ... on Refusal { code reason message }';
const SAVE = `mutation($id: ID!, $input: ScriptDraftInput!) { saveScriptDraft(id: $id, input: $input) { ${DRAFT} } }`;
const keep = async (id: string, revision: number, graph: object, at = server, token = admin) =>
  (await run(SAVE, { id, input: { revision, ...graph } }, at, token)).saveScriptDraft;
const SCRIPT = `query($id: ID!) { script(id: $id) { version isEnabled draft { revision } activations { version reason actedBy { username } }
  utterances { databaseId nodeId text expected } versions { version } figures { calls days nodes { nodeId entered left hungUp } } } }`;
const read = async (id: string, at = server) => (await run(SCRIPT, { id }, at)).script;

describe('a draft of a script [D11]', () => {
  test('is kept with its faults at their nodes, seen by another server, published with a reason, and then gone', async () => {
    const id = await newScript();
    const graph = await template('survey');
    expect((await read(id)).draft).toBeNull();
    const broken = {
      ...graph,
      nodes: graph.nodes.map((node: { id: string }) => (node.id === 'score' ? { ...node, next: 'nowhere' } : node)),
    };
    expect(await keep(id, 0, broken)).toMatchObject({
      revision: 1,
      basedOn: 1,
      faults: [{ field: 'nodes[3].next', nodeId: 'score', problem: expect.stringContaining('nowhere'), isBlocking: true }],
    });
    expect((await read(id, beside)).draft).toEqual({ revision: 1 });
    const PUBLISH = `mutation($id: ID!, $revision: Int!) { publishScript(id: $id, revision: $revision, reason: "改好了") {
      __typename ... on Script { version isEnabled draft { revision } } ... on Refusal { code field } } }`;
    expect((await run(PUBLISH, { id, revision: 1 })).publishScript).toMatchObject({ __typename: 'InputRefused', field: 'nodes[3].next' });
    expect(await keep(id, 1, graph)).toMatchObject({ revision: 2, faults: [] });
    expect((await run(PUBLISH, { id, revision: 1 })).publishScript).toMatchObject({ __typename: 'DraftChanged' });
    expect((await run(PUBLISH, { id, revision: 2 })).publishScript).toMatchObject({ version: 2, isEnabled: true, draft: null });
    const after = await read(id);
    expect(after.versions).toEqual([{ version: 2 }, { version: 1 }]);
    expect(after.activations).toEqual([
      { version: 2, reason: '改好了', actedBy: { username: 'admin' } },
      { version: null, reason: '', actedBy: { username: 'admin' } },
    ]);
  });

  test('is published without being put in force: campaigns take it, or its new version, only once it is activated', async () => {
    const id = await newScript('blank');
    await keep(id, 0, await template('survey'));
    const PUBLISH = `mutation($id: ID!) { publishScript(id: $id, revision: 1, activate: false) {
      ... on Script { version isEnabled isTaken draft { revision } } } }`;
    expect((await run(PUBLISH, { id })).publishScript).toEqual({ version: 2, isEnabled: false, isTaken: false, draft: null });
    await keep(id, 0, await template('blank'));
    await run('mutation($id: ID!) { activateScript(id: $id) { __typename } }', { id });
    expect((await run(PUBLISH, { id })).publishScript).toMatchObject({ version: 2, isEnabled: true, draft: null });
    const kept = await read(id);
    expect(kept.versions).toEqual([{ version: 3 }, { version: 2 }, { version: 1 }]);
    expect(kept.activations[0]).toMatchObject({ version: 2 });
    const ACTIVATE = 'mutation($id: ID!) { activateScript(id: $id, version: 3) { ... on Script { version isEnabled } } }';
    expect((await run(ACTIVATE, { id })).activateScript).toEqual({ version: 3, isEnabled: true });
  });

  test('of two people who save at once one is refused, on whichever server', async () => {
    const id = await newScript('blank');
    const graph = await template('blank');
    await keep(id, 0, graph);
    const both = await Promise.all([keep(id, 1, graph), keep(id, 1, graph, beside, other)]);
    expect(both.map(each => String(each.reason ?? each.revision)).sort((a, b) => a.localeCompare(b))).toEqual(['2', 'CHANGED_MEANWHILE']);
    expect(await keep(id, 0, graph)).toMatchObject({ code: 'CONFLICT', reason: 'CHANGED_MEANWHILE' });
    expect(await keep('999999', 0, graph)).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is thrown away by its revision alone', async () => {
    const id = await newScript('blank');
    await keep(id, 0, await template('blank'));
    const DISCARD = 'mutation($id: ID!, $revision: Int!) { discardScriptDraft(id: $id, revision: $revision) { __typename } }';
    expect((await run(DISCARD, { id, revision: 7 })).discardScriptDraft).toEqual({ __typename: 'DraftChanged' });
    expect((await run(DISCARD, { id, revision: 1 })).discardScriptDraft).toEqual({ __typename: 'Script' });
    expect((await read(id)).draft).toBeNull();
  });

  test('an older version is activated again, and the reason is kept with the user', async () => {
    const id = await newScript('blank');
    const MOVE =
      'mutation($id: ID!) { activateScript(id: $id, version: 1, reason: "回退") { __typename } deactivateScript(id: $id, reason: "下线") { __typename } }';
    await run(MOVE, { id });
    expect((await read(id)).activations.map(({ version, reason }: Record<string, unknown>) => [version, reason])).toEqual([
      [null, '下线'],
      [1, '回退'],
      [null, ''],
    ]);
  });
});

describe('a trial of a draft [D11]', () => {
  const TRY = `query($id: ID!, $said: [String]!, $answers: JSON) { tryScript(id: $id, said: $said, answers: $answers, variables: { customerName: "张三" }) {
    end nodeId classification answers events { kind nodeId text branch confidence byKeywords } } }`;
  const attempt = async (id: string, said: (string | null)[], answers: unknown = null) => (await run(TRY, { id, said, answers })).tryScript;

  test('speaks the draft and shows branch and confidence of the NLU service', async () => {
    const id = await newScript();
    const graph = await template('survey');
    await keep(id, 0, {
      ...graph,
      phrases: graph.phrases.map((each: { key: string }) =>
        each.key === 'opening' ? { ...each, text: '草稿好，{{customerName}}' } : each,
      ),
    });
    const first = await attempt(id, []);
    expect(first).toMatchObject({ end: 'WAITING', nodeId: 'ask', events: [{ kind: 'BOT', text: '草稿好，张三' }] });
    const second = await attempt(id, ['不要'], first.answers);
    expect(second).toMatchObject({ end: 'END', nodeId: 'bye', classification: '未参加' });
    expect(second.events).toContainEqual({
      kind: 'DECISION',
      nodeId: 'willing',
      text: expect.any(String),
      branch: 'no',
      confidence: 0.87,
      byKeywords: false,
    });
  });

  test('goes on by keywords when the service fails, and says so', async () => {
    const id = await newScript();
    const { events } = await attempt(id, ['坏了']);
    expect(events).toContainEqual(expect.objectContaining({ kind: 'DECISION', byKeywords: true }));
  });

  test('answers of another shape are refused', async () => {
    const id = await newScript();
    await expect(attempt(id, ['好'], [{ kind: 'decided', key: 'yes', confidence: 7 }])).rejects.toThrow();
  });
});

test('kept utterances are asked for and shown with what differs [D11]', async () => {
  const id = await newScript();
  const KEEP = `mutation($id: ID!, $input: ScriptUtteranceInput!) { keepScriptUtterance(id: $id, input: $input) { ... on ScriptUtterance { databaseId expected } ... on Refusal { code } } }`;
  const keepIt = async (text: string, expected: string) =>
    (await run(KEEP, { id, input: { nodeId: 'willing', text, expected } })).keepScriptUtterance;
  await keepIt('不要打了', 'no');
  await keepIt('好啊', 'busy');
  const again = await keepIt('好啊', 'no');
  const CHECK = 'query($id: ID!) { checkScriptUtterances(id: $id) { utterance { text } branch confidence byKeywords isAsExpected } }';
  expect((await run(CHECK, { id })).checkScriptUtterances).toEqual([
    { utterance: { text: '不要打了' }, branch: 'no', confidence: 0.87, byKeywords: false, isAsExpected: true },
    { utterance: { text: '好啊' }, branch: 'default', confidence: 0.87, byKeywords: false, isAsExpected: false },
  ]);
  const DROP = 'mutation($id: ID!, $utteranceId: ID!) { dropScriptUtterance(id: $id, utteranceId: $utteranceId) { __typename } }';
  expect((await run(DROP, { id, utteranceId: again.databaseId })).dropScriptUtterance).toEqual({ __typename: 'Script' });
  expect((await read(id)).utterances).toHaveLength(1);
});

test('figures of nodes are counted from the reported steps of the newest calls [D7.7, D11]', async () => {
  const id = await newScript();
  const { database } = server.running.context;
  const campaignId = await insertCampaign(database);
  const call = async (hangupBy: string, steps: object[]) => {
    const attemptId = await insertAttempt(database, {
      campaignId,
      contactId: await insertContact(database, { campaignId }),
      status: 'completed',
    });
    const payload = JSON.stringify({ result: { steps } });
    await database.run(
      sql`update attempt set script_id = ${Number(id)}, result_at = now(), hangup_by = ${hangupBy}, payload = ${payload}::jsonb where id = ${attemptId}`,
    );
  };
  await call('bot', [
    { nodeId: 'ask', branch: 'default' },
    { nodeId: 'willing', branch: 'no' },
    { nodeId: 'bye', branch: null },
  ]);
  await call('customer', [{ nodeId: 'ask', branch: null }]);
  expect((await read(id)).figures).toEqual({
    calls: 2,
    days: 30,
    nodes: [
      { nodeId: 'ask', entered: 2, left: { default: 1 }, hungUp: 1 },
      { nodeId: 'bye', entered: 1, left: {}, hungUp: 0 },
      { nodeId: 'willing', entered: 1, left: { no: 1 }, hungUp: 0 },
    ],
  });
});
