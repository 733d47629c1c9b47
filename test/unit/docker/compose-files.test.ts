import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfig, unknownVariables } from '#platform/config/read-config.ts';
import { configShape } from '#platform/config/shape.ts';
import { PHONE_DIRECTORY_PATH } from '#agents/phone-directory-page.ts';

const DOCKER = join(import.meta.dirname, '../../../docker');

const service = z.looseObject({
  image: z.string().optional(),
  build: z
    .object({ context: z.string(), dockerfile: z.string(), target: z.string(), args: z.record(z.string(), z.string()).default({}) })
    .optional(),
  user: z.string().optional(),
  privileged: z.boolean().default(false),
  read_only: z.boolean().default(false),
  tmpfs: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  labels: z.record(z.string(), z.string()).default({}),
  healthcheck: z
    .object({ test: z.array(z.string()).min(2) })
    .loose()
    .optional(),
  restart: z.string().optional(),
  stop_grace_period: z.stringFormat('seconds', /^\d+s$/).optional(),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  logging: z.looseObject({ options: z.record(z.string(), z.string()) }).optional(),
  /** A list, or a map when a service has aliases in a network. */
  networks: z.union([z.array(z.string()), z.record(z.string(), z.unknown()).transform(networks => Object.keys(networks))]).default([]),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
});
const network = z.object({
  internal: z.boolean().optional(),
  ipam: z.object({ config: z.array(z.object({ subnet: z.string() })).length(1) }).optional(),
});
const composeFile = z.looseObject({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.unknown()),
  configs: z.record(z.string(), z.object({ content: z.string() })),
  networks: z
    .record(
      z.string(),
      z.preprocess(value => value ?? {}, network),
    )
    .default({}),
});

function read(name: string) {
  const text = readFileSync(join(DOCKER, name), 'utf8');
  return { text, ...composeFile.parse(parse(text, { merge: true })) };
}

const FILES = ['compose.development.yaml', 'compose.production.yaml'] as const;
const dockerfile = readFileSync(join(DOCKER, 'Dockerfile'), 'utf8');

/** `${X}`, `${X:-default}`, `${X:?message}`; `$$` is a literal dollar sign. */
const INTERPOLATION = /(?<!\$)\$\{(\w+)(?::([-?])([^}]*))?\}/g;

function interpolate(text: string): string {
  return text.replaceAll(INTERPOLATION, (_, _name, operator, value: string) => (operator === '-' ? value : 'given1given1'));
}

describe.each(FILES)('%s', name => {
  const { services, volumes, configs, text } = read(name);
  const entries = Object.entries(services);

  test('every service has a healthcheck or a reason for having none', () => {
    const silent = entries.filter(([, { healthcheck, labels }]) => !healthcheck && !labels['callout.healthcheck']?.startsWith('none: '));
    expect(silent.map(([service]) => service)).toEqual([]);
  });

  test('every service restarts after a crash', () => {
    expect(entries.filter(([, { restart }]) => restart !== 'unless-stopped').map(([service]) => service)).toEqual([]);
  });

  test('every service runs as its own user or has a reason for not doing so', () => {
    const silent = entries.filter(
      ([, { user = 'root', labels }]) => /^(root|0)(:|$)/.test(user) && !labels['callout.user']?.startsWith('none: '),
    );
    expect(silent.map(([service]) => service)).toEqual([]);
  });

  test('every service drops all capabilities, can gain none, and writes only to its volumes and memory', () => {
    const confined = { cap_drop: ['ALL'], cap_add: [], privileged: false, security_opt: ['no-new-privileges:true'], read_only: true };
    expect(entries.map(([service, found]) => ({ service, ...found }))).toEqual(
      entries.map(([service]) => expect.objectContaining({ service, ...confined })),
    );
    expect(entries.filter(([, { tmpfs }]) => !tmpfs.includes('/tmp')).map(([service]) => service)).toEqual([]);
  });

  test('services mount nothing of the host except their configuration files, read-only', () => {
    const writable = entries.flatMap(([, { volumes: mounts }]) => mounts).filter(mount => /^[./~]/.test(mount) && !mount.endsWith(':ro'));
    expect(writable).toEqual([]);
    expect(text).not.toMatch(/docker\.sock|network_mode|pid:|ipc:|userns_mode|devices:/);
  });

  test('every role has time to drain before it is killed [D1]', () => {
    const drainSeconds = configShape.parse({}).server.drainTimeoutMs / 1_000;
    const roles = entries.filter(([, { build }]) => build);
    const hasty = roles.filter(([, { stop_grace_period: grace = '10s' }]) => Number.parseInt(grace) < drainSeconds + 10);
    expect(hasty.map(([service]) => service)).toEqual([]);
  });

  test('every role is built from a target of the Dockerfile', () => {
    const targets = [...dockerfile.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, target]) => target);
    const built = entries.flatMap(([, { build }]) => build?.target ?? []);
    expect(built.length).toBeGreaterThan(3);
    expect(built.filter(target => !targets.includes(target))).toEqual([]);
  });

  test('every CALLOUT variable is a known configuration key [D1.2]', () => {
    const given = Object.assign({}, ...entries.map(([, { environment }]) => environment)) as Record<string, string>;
    expect(Object.keys(given).filter(variable => variable.startsWith('CALLOUT_')).length).toBeGreaterThan(4);
    expect(unknownVariables(given)).toEqual([]);
  });

  test('the server’s configuration is valid [D1.1]', async () => {
    const config = interpolate(configs['server']?.content ?? '');
    const env = Object.fromEntries(
      Object.entries((services['server'] ?? services['server-1'])?.environment ?? {}).map(([variable, value]) => [
        variable,
        interpolate(value),
      ]),
    );
    const result = await readConfig({ env, readFile: async () => config, ids: () => 'instance' });
    expect(result).toMatchObject({ ok: true, config: { cells: [{ password: expect.any(String) }] } });
  });

  test('secrets are never literal values', () => {
    const secrets = [...text.matchAll(/^\s*['"]?(\w*(?:PASSWORD|TOKEN|SECRET|AUTH|password)\w*)['"]?:\s*(.+)$/gm)];
    const literal = secrets.filter(([, , value = '']) => !value.replaceAll(/['"]/g, '').startsWith('${'));
    expect(literal.map(([, variable]) => variable).filter(variable => variable !== 'POSTGRES_HOST_AUTH_METHOD')).toEqual([]);
    const inAddresses = [...text.matchAll(/:\/\/[^\s@/]*:([^\s@]+)@/g)].filter(([, password = '']) => !password.startsWith('${'));
    expect(inAddresses).toEqual([]);
  });

  test('named volumes and mounted files exist', () => {
    const sources = entries.flatMap(([, service]) => service.volumes).map(volume => interpolate(volume).split(':')[0] ?? '');
    const files = sources.filter(source => source.startsWith('./')).map(source => source.slice('./'.length).split('/')[0] ?? '');
    expect(sources.filter(source => !source.startsWith('./') && !Object.hasOwn(volumes, source))).toEqual([]);
    expect(files.filter(file => !readdirSync(DOCKER).includes(file))).toEqual([]);
  });
});

test('production requires every secret by name and does not start without it', () => {
  const { text, services } = read('compose.production.yaml');
  const optional = [...text.matchAll(INTERPOLATION)].filter(([, name = '', operator]) => /PASSWORD|TOKEN/.test(name) && operator !== '?');
  expect(optional.map(([, name]) => name)).toEqual([]);
  const example = readFileSync(join(DOCKER, 'production.env.example'), 'utf8');
  const required = new Set([...text.matchAll(INTERPOLATION)].filter(([, , operator]) => operator === '?').map(([, name]) => name));
  expect([...required].filter(name => !new RegExp(`^${name}=$`, 'm').test(example))).toEqual([]);
  expect(Object.keys(services)).toEqual(expect.arrayContaining(['postgres', 'redis', 'nats', 'server-1', 'server-2', 'nlu', 'freeswitch']));
});

test('production limits its logs, and keeps the switch and the proxy off the network of the stores', () => {
  const services = Object.entries(read('compose.production.yaml').services);
  const names = (found: typeof services) => found.map(([name]) => name);
  expect(names(services.filter(([, { logging }]) => !logging?.options['max-size'] || !logging.options['max-file']))).toEqual([]);
  const beside = (network: string) => names(services.filter(([, { networks }]) => networks.includes(network)));
  expect(beside('data')).toEqual(['postgres', 'redis', 'server-1', 'server-2']);
  expect(beside('edge')).toEqual(['server-1', 'server-2', 'proxy']);
  expect(beside('voice')).toEqual(['freeswitch']);
  expect(beside('control')).toEqual(['server-1', 'server-2', 'freeswitch', 'cdr-resend']);
  expect(beside('recordings')).toEqual(['server-1', 'server-2', 'recordings']);
});

describe('production', () => {
  const { services, networks, configs } = read('compose.production.yaml');
  /** No default, so that a deployment never runs whatever a tag points to today. */
  const BY_DIGEST = /^\$\{(CALLOUT_\w+_IMAGE):\?the image by digest, see docker\/production\.env\.example\}$/;

  test('images that run and base images are given by digest', () => {
    const fetched = Object.values(services).flatMap(({ image = '', build }) => (build ? [] : [image]));
    const bases = Object.values(services).flatMap(({ build }) => Object.values(build?.args ?? {}));
    expect([...fetched, ...bases].filter(image => !BY_DIGEST.test(image))).toEqual([]);
    expect(fetched).toHaveLength(5);
    const usedBases = [...dockerfile.matchAll(/^FROM (?!(?:role|tool) )(\S+)/gm)].map(
      ([, base = '']) => /^\$\{(\w+)\}$/.exec(base)?.[1] ?? base,
    );
    const given = new Set(Object.values(services).flatMap(({ build }) => Object.keys(build?.args ?? {})));
    expect(given).toEqual(new Set(usedBases));
    expect(readFileSync(join(DOCKER, 'production.env.example'), 'utf8')).toMatch(
      /imagetools inspect \S+ --format '\{\{\.Manifest\.Digest\}\}'/,
    );
  });

  test('only the proxy, on loopback, and the ports for carriers and phones are published', () => {
    const published = Object.entries(services).flatMap(([service, { ports }]) => ports.map(port => `${service} ${port}`));
    expect(published).toEqual([
      'proxy ${CALLOUT_PUBLISHED_ADDRESS:-127.0.0.1}:${CALLOUT_PUBLISHED_PORT:-9920}:9920',
      'freeswitch 5060:5060/udp',
      'freeswitch 5060:5060/tcp',
      'freeswitch 7443:7443/tcp',
      'freeswitch 5080:5080/udp',
      'freeswitch 5080:5080/tcp',
      'freeswitch 16384-16783:16384-16783/udp',
    ]);
  });

  test('networks trusted by the switch and the servers match the networks defined', () => {
    const subnetOf = (name: string) => networks[name]?.ipam?.config[0]?.subnet;
    expect(networks['control']?.internal).toBe(true);
    expect(services['freeswitch']?.environment['CALLOUT_SWITCH_COMMANDERS']).toBe(subnetOf('control'));
    expect(configs['server']?.content).toContain(`trustedProxies: ["${subnetOf('edge')}"]`);
  });

  test("no server has the superuser's password; each one connects as a role that can only change rows", () => {
    const knowing = Object.entries(services).filter(([, { environment }]) => JSON.stringify(environment).includes('SUPERUSER'));
    expect(knowing.map(([service]) => service)).toEqual(['postgres']);
    for (const name of ['server-1', 'server-2']) {
      expect(services[name]?.environment).toMatchObject({
        CALLOUT_DATABASE_URL: expect.stringMatching(/^postgres:\/\/callout_app:\$\{CALLOUT_DATABASE_PASSWORD:/),
        CALLOUT_DATABASE_MIGRATION_URL: expect.stringMatching(/^postgres:\/\/callout_owner:\$\{CALLOUT_DATABASE_OWNER_PASSWORD:/),
      });
    }
    expect(services['postgres']?.volumes).toContain('./postgres/roles.sql:/docker-entrypoint-initdb.d/roles.sql:ro');
  });
});

test('the proxy overwrites client-supplied forwarding headers, does not buffer streams, and blocks internal paths', () => {
  const nginx = readFileSync(join(DOCKER, 'nginx.conf'), 'utf8');
  const headers = Object.fromEntries([...nginx.matchAll(/^\s*proxy_set_header (\S+) (.+);$/gm)].map(([, name, value]) => [name, value]));
  expect(headers).toEqual({
    Host: '$host',
    'X-Forwarded-For': '$remote_addr',
    'X-Forwarded-Host': '""',
    'X-Forwarded-Proto': '$scheme',
    'X-Real-IP': '""',
    Forwarded: '""',
    Upgrade: '$http_upgrade',
    Connection: '$connection_upgrade',
  });
  expect(nginx).toMatch(/^\s*proxy_buffering off;$/m);
  expect(nginx).toMatch(/^\s*location ~\* \^\/internal\(\/\|\$\) \{ return 404; \}$/m);
});

test('development listens on loopback only, and its services start without any settings', () => {
  const { services, text } = read('compose.development.yaml');
  const ports = Object.values(services).flatMap(({ ports }) => ports);
  expect(ports.filter(port => !port.startsWith('127.0.0.1:'))).toEqual([]);
  expect([...text.matchAll(INTERPOLATION)].filter(([, , operator]) => operator !== '-')).toEqual([]);
});

test('roles run as their own user, on the locked Node version', () => {
  expect(dockerfile).toMatch(/^USER callout$/m);
  expect(dockerfile).toMatch(/npm ci --omit=dev/);
  for (const target of ['server', 'nlu', 'switch']) {
    expect(dockerfile).toMatch(new RegExp(`FROM (?:role|tool) AS ${target}\\n(?:(?!FROM)[^\\n]*\\n)*HEALTHCHECK --`));
  }
});

test('recordings are served from the volume to which the switch writes them', () => {
  const { services } = read('compose.production.yaml');
  const volumesOf = (name: string) => services[name]?.volumes ?? [];
  const nginx = readFileSync(join(DOCKER, 'recordings.conf'), 'utf8');
  expect(volumesOf('freeswitch')).toContain('recordings:/var/lib/freeswitch/recordings');
  expect(volumesOf('recordings')).toContain('recordings:/var/lib/freeswitch/recordings:ro');
  expect(nginx).toMatch(/root \/var\/lib\/freeswitch\/recordings;/);
  expect(services['recordings']?.ports).toEqual([]);
});

test('the switch queries its directory at the servers, with the internal token', () => {
  const { services } = read('compose.production.yaml');
  expect(services['freeswitch']?.environment).toMatchObject({
    CALLOUT_SWITCH_DIRECTORY_URL: `http://servers:9920${PHONE_DIRECTORY_PATH}`,
    CALLOUT_SWITCH_DIRECTORY_TOKEN: services['server-1']?.environment['CALLOUT_INTERNAL_TOKEN'],
  });
});
