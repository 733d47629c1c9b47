import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse as parseYaml } from 'yaml';
import { readConfig, startWarnings } from '#platform/config/read-config.ts';
import { maskSecrets, maskUrl } from '#platform/config/secrets.ts';
import type { Config } from '#platform/config/shape.ts';

const read = (env: Record<string, string>, file = '') =>
  readConfig({
    env: file === '' ? env : { CALLOUT_CONFIG: 'callout.yaml', ...env },
    readFile: () => Promise.resolve(file),
    ids: () => 'abcdefgh-1',
  });

async function configOf(env: Record<string, string>, file = ''): Promise<Config> {
  const result = await read(env, file);
  if (!result.ok) throw new Error(result.faults.join('\n'));
  return result.config;
}

async function faultsOf(env: Record<string, string>, file = ''): Promise<string[]> {
  const result = await read(env, file);
  return result.ok ? [] : result.faults;
}

describe('sources', () => {
  test('an empty environment gives the documented defaults [D1.2]', async () => {
    const config = await configOf({});
    expect(config.server).toMatchObject({ host: '0.0.0.0', port: 9920, timezone: 'Asia/Shanghai', instanceId: 'abcdefgh' });
    expect(config.auth).toEqual({ enabled: true, bootstrapAdminUsername: 'admin', bootstrapAdminPassword: null });
    expect(config.nlu).toMatchObject({ url: 'http://127.0.0.1:9930', port: 9930 });
    expect(config.dispatch).toMatchObject({ resultGraceSeconds: 60, ringbackDetection: { enabled: false } });
    expect(config.monitoring.callsPerMonitor).toBe(5);
    expect(config.retention).toEqual({ transcriptsDays: 0, recordingsDays: 0, attemptsDays: 0, auditDays: 0, eventsDays: 0 });
  });

  test('the environment overrides the file, the file the defaults [D1.1]', async () => {
    const config = await configOf({ CALLOUT_PORT: '1234' }, 'server: { port: 1, host: 10.0.0.1 }');
    expect(config.server).toMatchObject({ port: 1234, host: '10.0.0.1' });
  });

  test('an empty variable and an empty section count as unset', async () => {
    const config = await configOf({ CALLOUT_PORT: '' }, 'server:\nmedia:\n');
    expect(config.server.port).toBe(9920);
  });

  test('every documented variable sets its option [D1.2]', async () => {
    const config = await configOf({
      CALLOUT_HOST: '127.0.0.1',
      CALLOUT_PORT: '1',
      CALLOUT_DATABASE_URL: 'postgresql://h/d',
      CALLOUT_DATABASE_MIGRATION_URL: 'postgresql://owner@h/d',
      CALLOUT_DATABASE_REPORT_URL: 'postgresql://reader@h/d',
      CALLOUT_REDIS_URL: 'redis://h',
      CALLOUT_NATS_URL: 'nats://h',
      CALLOUT_AUTH_ENABLED: 'false',
      CALLOUT_AUTH_BOOTSTRAP_ADMIN_USERNAME: 'root',
      CALLOUT_AUTH_BOOTSTRAP_ADMIN_PASSWORD: 'password',
      CALLOUT_INTERNAL_TOKEN: 'internal',
      CALLOUT_TIMEZONE: 'Europe/Berlin',
      CALLOUT_NLU_URL: 'http://nlu',
      CALLOUT_LOG_LEVEL: 'debug',
      CALLOUT_INSTANCE_ID: 'one',
      CALLOUT_NLU_HOST: '::',
      CALLOUT_NLU_PORT: '2',
      CALLOUT_NLU_TOKEN: 'nlu',
    });
    expect(config.server).toMatchObject({ host: '127.0.0.1', port: 1, timezone: 'Europe/Berlin', logLevel: 'debug', instanceId: 'one' });
    expect(config.server.serviceApi.authToken).toBe('internal');
    expect([config.database.url, config.cache.url, config.bus.url]).toEqual(['postgresql://h/d', 'redis://h', 'nats://h']);
    expect(config.database.migrationUrl).toBe('postgresql://owner@h/d');
    expect(config.auth).toEqual({ enabled: false, bootstrapAdminUsername: 'root', bootstrapAdminPassword: 'password' });
    expect(config.nlu).toMatchObject({ url: 'http://nlu', host: '::', port: 2, token: 'nlu' });
  });

  test('a cell has the documented defaults [D1.3]', async () => {
    const config = await configOf({}, 'cells: [{ id: a, host: h, password: p }]');
    expect(config.cells).toEqual([
      {
        id: 'a',
        host: 'h',
        port: 8021,
        password: 'p',
        maxConcurrency: 0,
        recordingBaseUrl: '',
        recordingFolder: '/var/lib/freeswitch/recordings',
        recordingRemoval: 'none',
        originateTimeoutSeconds: 30,
        maxOriginatesPerSecond: 30,
        sipProfile: 'external',
        conferenceProfile: 'default',
        media: {},
        isEnabled: true,
      },
    ]);
  });

  test.each([
    '{ kind: esl, host: 10.0.0.7, port: 8021 }',
    '{ kind: sip, uri: "sip:bot@10.0.0.7:5070", codec: PCMA }',
    '{ kind: websocket, url: "wss://media.example.com/calls" }',
    '{ kind: unimrcp, anything: [1, { deep: true }] }',
    '{ note: none of the kinds }',
  ])('a cell passes its media settings on unchanged: %s', async media => {
    const [cell] = (await configOf({}, `cells: [{ id: a, host: h, password: p, media: ${media} }]`)).cells;
    expect(cell?.media).toEqual(parseYaml(media));
  });

  test.each([
    '{ kind: esl, host: h }',
    '{ kind: sip, uri: "http://h" }',
    '{ kind: websocket }',
    '[1]',
    `{ kind: x, note: ${'长'.repeat(1_400)} }`,
  ])('unusable media settings of a cell are rejected: %s', async media => {
    const faults = await faultsOf({}, `cells: [{ id: a, host: h, password: p, media: ${media} }]`);
    expect(faults).toEqual([expect.stringMatching(/^cells\[0\]\.media: found .*, allowed: an object of at most 4 KiB/)]);
  });

  test('docs/configuration.md lists every member of a cell and shows how to configure the simulator', async () => {
    const document = await readFile(join(import.meta.dirname, '../../../../docs/configuration.md'), 'utf8');
    const entry = /`(cells: \[\{ id: simulated[^`]*)`/.exec(document)?.[1] ?? '';
    const [cell] = (await configOf({}, entry)).cells;
    expect(cell).toMatchObject({ id: 'simulated', host: '127.0.0.1', port: 8021, password: 'ClueCon' });
    const table = document.slice(document.indexOf('| Member of `cells[]` |')).split('\n\n')[0] ?? '';
    const told = table.split('\n').flatMap(row => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
    expect(told.toSorted()).toEqual(Object.keys(cell ?? {}).toSorted());
  });

  test('JSON files are read as JSON', async () => {
    const result = await readConfig({
      env: { CALLOUT_CONFIG: 'c.json' },
      readFile: () => Promise.resolve('{"server":{"port":7}}'),
      ids: () => 'x',
    });
    expect(result).toMatchObject({ ok: true, config: { server: { port: 7 } } });
  });
});

describe('faults are one line each: path, found value, allowed values [D1.1]', () => {
  test('a fault names the variable that it came from', async () => {
    expect(await faultsOf({ CALLOUT_PORT: 'http' })).toEqual([
      'CALLOUT_PORT (server.port): found "http", allowed: an integer from 0 to 65535',
    ]);
    expect(await faultsOf({ CALLOUT_AUTH_ENABLED: 'maybe' })).toEqual([
      'CALLOUT_AUTH_ENABLED (auth.enabled): found "maybe", allowed: true or false',
    ]);
  });

  test('a fault names the path in the file, and all faults are listed', async () => {
    const faults = await faultsOf({}, 'cells: [{ id: a, password: p }, { id: a, host: h, password: p, port: 0 }]\nserver: { prot: 1 }');
    expect(faults).toEqual([
      expect.stringMatching(/^server\.prot: found an unknown key, allowed: .*\bport\b/),
      'cells[0].host: found nothing, allowed: the address of the switch',
      'cells[1].port: found 0, allowed: an integer from 1 to 65535',
    ]);
    expect(await faultsOf({}, 'cells: [{ id: a, host: h, password: p }, { id: a, host: h, password: p }]')).toEqual([
      'cells[1].id: found "a", allowed: no id twice',
    ]);
  });

  test('refuses a token that no client could send, because a header cannot carry it', async () => {
    for (const token of ['令牌', 'tök', ' a', 'a ', 'a\n']) {
      const faults = await faultsOf({ CALLOUT_INTERNAL_TOKEN: token, CALLOUT_NLU_TOKEN: token });
      expect(faults).toEqual([
        expect.stringContaining('printable ASCII without a space at either end'),
        expect.stringContaining('printable ASCII without a space at either end'),
      ]);
    }
    expect(await faultsOf({ CALLOUT_INTERNAL_TOKEN: 'a b/~', CALLOUT_NLU_TOKEN: 'x' })).toEqual([]);
  });

  test('shows no secret', async () => {
    expect(await faultsOf({ CALLOUT_AUTH_BOOTSTRAP_ADMIN_PASSWORD: 'short' })).toEqual([
      'CALLOUT_AUTH_BOOTSTRAP_ADMIN_PASSWORD (auth.bootstrapAdminPassword): found a secret (not shown), allowed: a password of 8 to 200 characters',
    ]);
    expect((await faultsOf({ CALLOUT_DATABASE_URL: 'mysql://u:hidden@h/d' })).join()).not.toContain('hidden');
  });

  test.each([
    ['timezone', { CALLOUT_TIMEZONE: 'Mars/Olympus' }],
    ['redis', { CALLOUT_REDIS_URL: 'localhost:6379' }],
  ])('refuses a wrong %s', async (_, env) => {
    expect(await faultsOf(env)).toHaveLength(1);
  });

  test('accepts addresses and networks as trusted proxies, and nothing else', async () => {
    const proxies = '[loopback, 10.0.0.0/8, "::1", 192.0.2.1]';
    expect(await faultsOf({}, `server: { trustedProxies: ${proxies} }`)).toEqual([]);
    for (const wrong of ['localhost', '10.0.0.0/33', '10.0.0/8', '1.2.3.4/8/8', 'true']) {
      expect(await faultsOf({}, `server: { trustedProxies: ["${wrong}"] }`)).toEqual([
        expect.stringContaining(`server.trustedProxies[0]: found "${wrong}", allowed: an address`),
      ]);
    }
  });

  test('reports that the file cannot be read', async () => {
    expect((await faultsOf({}, 'server: {'))[0]).toMatch(/^CALLOUT_CONFIG: found callout\.yaml, which cannot be read: /);
    expect(await faultsOf({}, '- a')).toEqual([
      'CALLOUT_CONFIG: found callout.yaml with no object at its top, allowed: a JSON or YAML object',
    ]);
  });
});

describe('secrets [D1.1]', () => {
  test('a syntax error is reported by its position, without quoting the file', async () => {
    const of = async (path: string, file: string) => (await faultsOf({ CALLOUT_CONFIG: path }, file)).join('\n');
    const unreadable = (path: string) => `CALLOUT_CONFIG: found ${path}, which cannot be read: it is no valid`;
    expect(await of('callout.json', '{ "auth": { "bootstrapAdminPassword": hidden1 } }')).toBe(`${unreadable('callout.json')} JSON`);
    expect(await of('callout.json', '{ "x": "hidden1"\n"y": 1 }')).toBe(`${unreadable('callout.json')} JSON at line 2 column 1`);
    expect(await of('callout.yaml', 'cells:\n  - password: *hidden1\n')).toBe(`${unreadable('callout.yaml')} YAML`);
    expect(await of('callout.yaml', 'cells:\n  - password: "hidden1\n')).toMatch(/ YAML at line \d+, column \d+$/);
  });

  test('config print masks every secret', async () => {
    const config = await configOf(
      {
        CALLOUT_DATABASE_URL: 'postgresql://u:hidden1@h/d?sslpassword=hidden2',
        CALLOUT_DATABASE_MIGRATION_URL: 'postgresql://owner:hidden8@h/d',
        CALLOUT_DATABASE_REPORT_URL: 'postgresql://reader:hidden9@h/d',
        CALLOUT_NATS_URL: 'nats://hidden3@h',
        CALLOUT_INTERNAL_TOKEN: 'hidden4',
        CALLOUT_NLU_TOKEN: 'hidden5',
        CALLOUT_AUTH_BOOTSTRAP_ADMIN_PASSWORD: 'hidden66',
      },
      'cells: [{ id: a, host: h, password: hidden7 }]',
    );
    const shown = JSON.stringify(maskSecrets(config));
    expect(shown).not.toContain('hidden');
    expect(shown).toContain('postgresql://u:***@h/d');
  });

  test('config print shows that a secret is not set', async () => {
    expect(maskSecrets(await configOf({}))).toMatchObject({
      server: { serviceApi: { authToken: null } },
      auth: { bootstrapAdminPassword: null },
    });
  });

  test('a text that is not a URL is not masked', () => {
    expect(maskUrl('plain text')).toBe('plain text');
  });
});

describe('warnings at the start [D1.4]', () => {
  const cell = 'cells: [{ id: a, host: h, password: p }]';

  test('an empty internal token gives a warning, or an error when other hosts can reach the address', async () => {
    const written = `${cell}\nserver: { serviceApi: { authToken: '' } }`;
    const local = startWarnings(await configOf({ CALLOUT_HOST: '127.0.0.1' }, cell), {});
    expect(local).toEqual([{ level: 'warn', message: expect.stringContaining('authToken is empty') }]);
    const exposed = [{ level: 'error', message: expect.stringContaining('0.0.0.0 is reachable') }];
    expect(startWarnings(await configOf({}, written), {})).toEqual(exposed);
    expect(startWarnings(await configOf({ CALLOUT_INTERNAL_OPEN: 'true' }, cell), {})).toEqual(exposed);
    expect(startWarnings(await configOf({ CALLOUT_INTERNAL_TOKEN: '' }, cell), {})).toEqual(exposed);
    const inFile = `${cell}\nserver: { serviceApi: { authToken: a-token } }`;
    expect(startWarnings(await configOf({ CALLOUT_INTERNAL_TOKEN: '' }, inFile), {})).toEqual([]);
  });

  test('an unset internal token is generated and gives no warning', async () => {
    expect(startWarnings(await configOf({}, cell), {})).toEqual([]);
  });

  test('a complete configuration gives no warning', async () => {
    expect(startWarnings(await configOf({ CALLOUT_INTERNAL_TOKEN: 't' }, cell), { CALLOUT_PORT: '1', CALLOUT_CONFIG: 'x' })).toEqual([]);
  });

  test('a misspelt variable gives a warning that names it', async () => {
    const warnings = startWarnings(await configOf({ CALLOUT_INTERNAL_TOKEN: 't' }, cell), { CALLOUT_DATBASE_URL: 'x' });
    expect(warnings.map(({ message }) => message)).toEqual(['CALLOUT_DATBASE_URL is not a variable of this program']);
  });
});
