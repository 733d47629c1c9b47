import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { asyncApiDocument, CALL_COMMANDS, RUNTIME_USER, runtimePermissions, SERVER_PERMISSIONS } from '#protocol/asyncapi.ts';
import { BUS_OPERATIONS } from '#protocol/operations.ts';
import { liveDelta, sessionsEnded } from '#protocol/signals.ts';
import { startCommand } from '#protocol/hand-over.ts';
import * as subjects from '#protocol/subjects.ts';
import { startCommandOf } from '#calls/effects.ts';
import { answerCommand } from '#tools/runtime/call-commands.ts';
import type { LiveCall } from '#tools/runtime/live-call.ts';
import { danglingReferences } from './references.ts';

const document = asyncApiDocument('1.2.3');

/** Every subject that subjects.ts can build, with sample ids. */
const SUBJECTS = [
  ...(['started', 'intervention', 'ended', 'result'] as const).map(kind => subjects.runtimeSubject(kind, 'x')),
  subjects.captionSubject('x'),
  subjects.commandSubject('x', 'start'),
  subjects.commandSubject('x', 'hangup'),
  subjects.commandSubject('x', 'ping'),
  subjects.commandSubject('x', 'intervene'),
  subjects.commandSubject('x', 'cancel'),
  subjects.commandSubject('x', 'transfer'),
  subjects.commandSubject('x', 'hint'),
  subjects.commandSubject('x', 'say'),
  subjects.commandSubject('x', 'hand_back'),
  subjects.TRANSFER_ROUTE_SUBJECT,
  subjects.TRANSFER_END_SUBJECT,
  subjects.SOFTPHONE_OPEN_SUBJECT,
  subjects.SOFTPHONE_SIGNAL_SUBJECT,
  subjects.softphoneCommandSubject('x', 'say'),
  subjects.softphoneCommandSubject('x', 'end'),
  subjects.softphoneReportSubject('x'),
  ...['hangup', 'claim', 'cancel', 'release'].map(command => subjects.actorSubject('call', 'x', command)),
  subjects.actorSubject('intervention', 'x', 'consume'),
  ...['heartbeat', 'leave'].map(command => subjects.actorSubject('monitor', 'me', command)),
  subjects.actorSubject('campaign', 3, 'start'),
  subjects.actorSubject('campaign', 3, 'pause'),
  subjects.scriptSubject(7),
  subjects.liveSubject(3, null, 'x', 'segment'),
  subjects.wakeSubject(null),
  subjects.RUNTIME_EVENTS_SUBJECT,
  subjects.SESSION_ENDED_SUBJECT,
  subjects.POOL_HELLO_SUBJECT,
  subjects.POOL_BEAT_SUBJECT,
  subjects.POOL_BYE_SUBJECT,
  subjects.POOL_ROLL_CALL_SUBJECT,
  ...(['start', 'release', 'rejected'] as const).map(name => subjects.poolSubject('x', name)),
  subjects.START_PROBE_SUBJECT,
];

/** Subscription patterns; each matches one of the subjects above. */
const PATTERNS = [
  subjects.RUNTIME_SUBJECTS,
  subjects.CAPTION_SUBJECTS,
  subjects.START_SUBJECTS,
  subjects.commandsOf('x'),
  subjects.softphoneCommandsOf('x'),
  subjects.SOFTPHONE_REPORT_SUBJECTS,
  subjects.ACTOR_SUBJECTS,
  subjects.SCRIPT_SUBJECTS,
  subjects.LIVE_SUBJECTS,
  subjects.WAKE_SUBJECTS,
];
const NO_SUBJECTS = ['RUNTIME_STREAM', 'RUNTIME_CONSUMER', 'runtimeMessageId'];
const NAMING = [
  'runtimeSubject',
  'captionSubject',
  'commandSubject',
  'actorSubject',
  'scriptSubject',
  'liveSubject',
  'poolSubject',
  'wakeSubject',
  'commandsOf',
  'softphoneCommandSubject',
  'softphoneCommandsOf',
  'softphoneReportSubject',
];

describe('the AsyncAPI document', () => {
  test('has the required members of 3.1 and its references resolve', () => {
    expect(document.asyncapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ title: 'Callout 消息总线', version: '1.2.3' });
    for (const operation of Object.values(document.operations)) {
      expect(['send', 'receive']).toContain(operation['action']);
      expect(operation['channel']).toEqual({ $ref: expect.stringMatching(/^#\/channels\/\w+$/) });
    }
    for (const channel of Object.values(document.channels))
      expect(Object.keys(channel)).toEqual(expect.arrayContaining(['address', 'messages']));
    expect(danglingReferences(document)).toEqual([]);
  });

  test('describes the servers, the credentials, and the permissions of each operation', () => {
    expect(Object.values(document.servers).map(({ protocol }) => protocol)).toEqual(['nats', 'tls']);
    const needs = (id: string) => JSON.stringify(document.operations[id]?.['security']).match(/\w+(?="})/g);
    for (const id of ['reportResult', 'sendCaption', 'readScript', 'routeTransfer', 'reportSoftphone'])
      expect(needs(id)).toEqual(['proof']);
    expect(needs('endCall')).toEqual(['session', 'proof']);
    expect(needs('hangupCall')).toEqual(['natsRuntime']);
    expect(needs('runtimeHello')).toEqual(['proof']);
    expect(needs('startCampaign')).toEqual(['session', 'internalToken', 'proof']);
    expect(needs('claimIntervention')).toEqual(['session']);
    expect(needs('wakeCampaign')).toEqual(['natsServer']);
    for (const { message, credential } of BUS_OPERATIONS) {
      const members = JSON.stringify(document.components.schemas[message.name]);
      if (credential === 'session' || credential === 'sessionOrProof' || credential === 'either') expect(members).toContain('"token":');
      // The token of a program that signs is never sent.
      expect(members.includes('"internalToken":')).toBe(credential === 'either');
    }
  });

  test('one table gives the permissions: docker/nats.conf and the document grant exactly these [A4]', async () => {
    const conf = await readFile(join(import.meta.dirname, '../../../docker/nats.conf'), 'utf8');
    const granted = (user: string, verb: string) => {
      const block = conf.slice(conf.indexOf(`user: ${user}\n`));
      const list = new RegExp(`${verb}: \\[([^\\]]*)\\]`).exec(block)?.[1] ?? '';
      return [...list.matchAll(/"([^"]+)"/g)].map(([, subject = '']) => subject).toSorted();
    };
    const runtime = runtimePermissions(RUNTIME_USER);
    const { natsRuntime, natsServer } = document.components.securitySchemes;
    for (const verb of ['publish', 'subscribe'] as const) {
      expect(granted(RUNTIME_USER, verb)).toEqual(runtime[verb].toSorted());
      expect(granted('callout', verb)).toEqual(SERVER_PERMISSIONS[verb].toSorted());
    }
    expect(natsRuntime?.['x-permissions']).toMatchObject(runtime);
    expect(natsServer?.['x-permissions']).toEqual(SERVER_PERMISSIONS);
    // A runtime subscribes to all commands of a call, as the contract demands.
    expect(runtime.subscribe).toContain(subjects.commandsOf('*'));
  });

  test('every command that a server sends for a call is in the document, and the reference runtime responds to it [A4]', async () => {
    const listed = Object.values(document.channels).flatMap(
      ({ address }) => /^callout\.v1\.command\.\{requestId\}\.(\w+)$/.exec(String(address))?.[1] ?? [],
    );
    expect(listed.toSorted()).toEqual([...CALL_COMMANDS].toSorted());
    const root = join(import.meta.dirname, '../../../src');
    const files = (await readdir(root, { recursive: true })).filter(file => file.endsWith('.ts'));
    const texts = await Promise.all(files.map(file => readFile(join(root, file), 'utf8')));
    const sent = texts.flatMap(text =>
      [...text.matchAll(/(?:commandSubject|runtime\.command)\([^()]*?, '(\w+)'/g)].map(([, name = '']) => name),
    );
    expect(sent).toContain('ping');
    expect(sent.filter(name => !CALL_COMMANDS.includes(name))).toEqual([]);
    const call = { epoch: () => 1, end: () => undefined, adopt: () => undefined } as unknown as LiveCall;
    for (const name of CALL_COMMANDS) {
      const answer = answerCommand({ call, runtimeId: 'r' }, { subject: subjects.commandSubject('x', name), body: {} });
      expect([name, 'code' in answer && answer.code]).not.toEqual([name, 'UNKNOWN_COMMAND']);
    }
  });

  test('errors and rules are in both languages', () => {
    const codes = document['x-error-codes'].map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['INVALID_ARGUMENT', 'NOT_FOUND', 'BUSY', 'UNSUPPORTED_CONTRACT']));
    expect(new Set(codes).size).toBe(codes.length);
    const texts = [
      ...document['x-error-codes'],
      ...document['x-delivery-rules'],
      ...BUS_OPERATIONS.map(({ detail, en }) => ({ zh: detail, en: en.detail })),
    ];
    for (const { zh, en } of texts) {
      expect(zh).toMatch(/[一-鿿]/);
      expect(en).toMatch(/^[^一-鿿]+\.$/);
    }
    expect(document['x-runtime-contract']).toEqual({ oldest: 1, newest: 1 });
  });

  test.each([
    ['begins afresh', 'A start after a release'],
    ['segmentIds differ per epoch', 'captions of two owners'],
    ['a type that it does not know', 'an unknown node'],
    ['called by the runtime', 'who calls transfer.route'],
    ['http://127.0.0.1:9930', 'where the NLU is'],
    ['ringing says', 'ringing of a transfer'],
    ['there is no play', 'node types'],
    ['speak on until joined', 'how long a bot may speak after a transfer'],
    ['<requestId>:<kind>:<epoch>', 'the form of Nats-Msg-Id'],
    ['user and pass', 'credentials as options'],
  ])('contains "%s": %s [A4]', text => {
    expect(document['x-delivery-rules'].filter(({ en }) => en.includes(text))).toHaveLength(1);
  });

  test('the messages of an operation are those of its channel', () => {
    for (const operation of Object.values(document.operations)) {
      const sides = [operation, operation['reply']].filter(side => side !== undefined) as {
        channel: { $ref: string };
        messages: { $ref: string }[];
      }[];
      for (const { channel, messages } of sides)
        for (const { $ref } of messages) expect($ref.startsWith(`${channel.$ref}/messages/`)).toBe(true);
    }
  });

  test('the parameters of an address have descriptions', () => {
    for (const { address, parameters } of Object.values(document.channels)) {
      const named = [...(typeof address === 'string' ? address : '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(Object(parameters))).toEqual(named);
    }
  });

  test('has every subject of subjects.ts, and no other', () => {
    const addresses = BUS_OPERATIONS.map(
      ({ address }) => new RegExp(`^${address.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^.]+')}$`),
    );
    expect(SUBJECTS.filter(subject => !addresses.some(address => address.test(subject)))).toEqual([]);
    expect(addresses.filter(address => !SUBJECTS.some(subject => address.test(subject)))).toEqual([]);
    for (const pattern of PATTERNS) {
      const matching = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^.]+').replace('>', '.+')}$`);
      expect(SUBJECTS.some(subject => matching.test(subject))).toBe(true);
    }
  });

  test('this test knows every export of subjects.ts', () => {
    const known = [...SUBJECTS, ...PATTERNS] as unknown[];
    const unknown = Object.entries(subjects).filter(
      ([name, value]) => !NO_SUBJECTS.includes(name) && !NAMING.includes(name) && !known.includes(value),
    );
    expect(unknown.map(([name]) => name)).toEqual([]);
  });

  test('every example matches the schema of its message', () => {
    for (const { id, message, reply } of BUS_OPERATIONS) {
      for (const each of reply ? [message, reply] : [message]) {
        expect({ id, error: each.schema.safeParse(each.example).error }).toEqual({ id, error: undefined });
      }
    }
  });

  test('each message has one schema, however many operations use it', () => {
    const schemas = new Map<string, unknown>();
    for (const { message, reply } of BUS_OPERATIONS) {
      for (const each of reply ? [message, reply] : [message]) {
        expect(schemas.get(each.name) ?? each.schema).toBe(each.schema);
        schemas.set(each.name, each.schema);
      }
    }
  });

  test('any JSON value uses one schema that refers to itself', () => {
    expect(JSON.stringify(document.components.schemas['JsonValue'])).toContain('#/components/schemas/JsonValue');
    expect(Object.keys(document.components.schemas).filter(name => name.startsWith('_'))).toEqual([]);
  });
});

describe('messages of the server match the contract', () => {
  test.each([null, '请回电 400'])('an offer of an answered call, with the text for a mailbox: %s', mailboxText => {
    const offer = startCommandOf(
      {
        requestId: '5f0c2c1e-9c3b-4a5e-8f6d-2b7a1c9e4d10',
        attemptId: 11,
        campaignId: 3,
        campaignName: '春季回访',
        businessCode: 'retail',
        contactId: 90_311,
        phoneNumber: '13800000000',
        customerName: '',
        cellId: 'cell-a',
        scriptId: null,
        scriptVersion: null,
        businessConfig: { variables: { shop: '城南营业厅' } },
        metadata: { 产品: '畅享套餐' },
        mailboxText,
        callback: { dueAt: 1_790_845_200_000, note: '介绍套餐', misses: 1 },
      } as unknown as Parameters<typeof startCommandOf>[0],
      { epoch: 5, answeredAt: 1_790_845_200_000, captions: [], media: {} },
    );
    const sent: unknown = JSON.parse(JSON.stringify(offer));
    expect(startCommand.parse(sent)).toEqual(sent);
    expect(startCommand.parse(sent).mailboxText).toBe(mailboxText ?? undefined);
    expect(startCommand.parse(sent).callback).toEqual({ dueAt: '2026-10-01T09:00:00.000Z', note: '介绍套餐', misses: 1 });
  });

  test('a delta and ended sessions', () => {
    expect(liveDelta.safeParse({ requestId: 'x' }).success).toBe(false);
    expect(sessionsEnded.parse({ sessionIds: ['a'] })).toEqual({ sessionIds: ['a'] });
  });
});
