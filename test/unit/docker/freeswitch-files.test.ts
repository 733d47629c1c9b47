import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { directoryDocument } from '#agents/phone-directory-page.ts';

const FOLDER = join(import.meta.dirname, '../../../docker/freeswitch');

const file = (path: string) => readFileSync(join(FOLDER, path), 'utf8');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.xml'));
const profiles = readdirSync(join(FOLDER, 'sip_profiles')).filter(name => name.endsWith('.xml'));

/** Value of `<param name="…" value="…"/>`; undefined when it is missing. */
function param(path: string, name: string): string | undefined {
  return new RegExp(`<param name="${name}" value="([^"]*)"`).exec(file(path))?.[1];
}

test('the switch keeps the vanilla limits and parks calls', () => {
  expect(param('autoload_configs/switch.conf.xml', 'max-sessions')).toBe('1000');
  expect(param('autoload_configs/switch.conf.xml', 'sessions-per-second')).toBe('30');
  expect(file('dialplan/default.xml')).toMatch(/application="park"/);
});

describe.each(profiles)('profile %s', name => {
  const path = join('sip_profiles', name);

  test('has its own timer: without it a hang-up, a transfer or a kick takes effect up to 5 s late', () => {
    expect(param(path, 'rtp-timer-name')).toBe('soft');
  });

  test('forbids transfers by SIP, and requires a password for calls', () => {
    expect([param(path, 'disable-transfer'), param(path, 'auth-calls'), param(path, 'accept-blind-reg') ?? 'false']).toEqual([
      'true',
      'true',
      'false',
    ]);
  });
});

test('phones register over SIP and WebSocket, in one domain, with passwords from the product', () => {
  const agents = 'sip_profiles/agents.xml';
  expect([param(agents, 'ws-binding'), param(agents, 'wss-binding')]).toEqual([':5066', ':7443']);
  for (const name of ['challenge-realm', 'force-register-domain', 'force-register-db-domain'])
    expect(param(agents, name)).toBe('$${domain}');
  expect(param('autoload_configs/xml_curl.conf.xml', 'gateway-url')).toBe('$${directory_url}');
  expect(file('autoload_configs/xml_curl.conf.xml')).toMatch(/bindings="directory"/);
  expect(file('freeswitch.xml')).toMatch(/data="domain=printf %s \$CALLOUT_SWITCH_DOMAIN"/);
  expect(param('sip_profiles/external.xml', 'disable-register')).toBe('true');
});

test('secrets come from the environment', () => {
  expect(param('autoload_configs/event_socket.conf.xml', 'password')).toBe('$${event_socket_password}');
  expect(file('freeswitch.xml')).toMatch(/event_socket_password=printf %s \$CALLOUT_SWITCH_PASSWORD/);
  expect(param('autoload_configs/xml_curl.conf.xml', 'gateway-credentials')).toBe('freeswitch:$${directory_token}');
  expect(param('autoload_configs/event_socket.conf.xml', 'apply-inbound-acl')).toBe('commanders');
  expect(file('freeswitch.xml')).toMatch(/data="commanders=printf %s \$CALLOUT_SWITCH_COMMANDERS"/);
});

test('the Event Socket accepts commands only from the servers’ network and from the switch itself', () => {
  const acl = file('autoload_configs/acl.conf.xml');
  expect([...acl.matchAll(/<list name="([^"]*)" default="([^"]*)"/g)].map(([, ...list]) => list)).toEqual([['commanders', 'deny']]);
  const nodes = [...acl.matchAll(/<node type="([^"]*)" (\w+)="([^"]*)"/g)].map(([, ...node]) => node);
  expect(nodes).toEqual([
    ['allow', 'cidr', '127.0.0.1/32'],
    ['allow', 'cidr', '$${commanders}'],
  ]);
});

test('variables cannot run commands, and only the modules that the product uses are loaded', () => {
  expect(param('autoload_configs/switch.conf.xml', 'api-expansion')).toBe('false');
  const modules = [...file('autoload_configs/modules.conf.xml').matchAll(/module="(\w+)"/g)].map(([, name]) => name);
  expect(new Set(modules)).toEqual(
    new Set([
      'mod_commands',
      'mod_conference',
      'mod_dialplan_xml',
      'mod_dptools',
      'mod_event_socket',
      'mod_json_cdr',
      'mod_logfile',
      'mod_sndfile',
      'mod_sofia',
      'mod_tone_stream',
      'mod_xml_curl',
    ]),
  );
});

test('the log goes to the container’s output, and contains only warnings and errors', () => {
  expect(param('autoload_configs/logfile.conf.xml', 'logfile')).toBe('/dev/stdout');
  expect(file('autoload_configs/logfile.conf.xml')).toMatch(/<map name="all" value="warning,err,crit,alert"\/>/);
});

test('no deprecated timeout is set, and a call without media still ends', () => {
  const deprecated = files.filter(path => /rtp-timeout-sec|rtp-hold-timeout-sec/.test(file(path)));
  expect(deprecated).toEqual([]);
  expect(file('freeswitch.xml')).toMatch(/data="media_timeout=\d{5,7}"/);
});

test('a browser phone can call with JsSIP’s defaults, keep its call across a new socket, and register once per tab [D12.2]', () => {
  const agents = 'sip_profiles/agents.xml';
  expect([param(agents, 'minimum-session-expires'), param(agents, 'enable-timer')]).toEqual(['90', 'false']);
  expect([param(agents, 'multiple-registrations'), param('autoload_configs/switch.conf.xml', 'multiple-registrations')]).toEqual([
    'contact',
    'true',
  ]);
  expect(param(agents, 'log-auth-failures')).toBe('false');
});

test('a phone that sends no media is dropped within 8 s, whichever side called, and is not offered silence suppression [D12.7]', () => {
  const [, limitMs] = /data="phone_media_timeout=(\d+)"/.exec(file('freeswitch.xml')) ?? [];
  expect(Number(limitMs)).toBeLessThan(8_000);
  expect(file('dialplan/phones.xml')).toMatch(/data="media_timeout=\$\$\{phone_media_timeout\}"\/>\s*<action application="answer"/);
  const phone = { id: '1001', extension: '1001', domain: 'callout', a1Hash: null };
  expect(directoryDocument(phone)).toContain(`<param name="dial-var-media_timeout" value="${limitMs}"/>`);
  expect(param('sip_profiles/agents.xml', 'suppress-cng')).toBe('true');
});

test('call detail records are posted with the internal token, and spooled to disk when no server accepts them [D7.8]', () => {
  const cdr = 'autoload_configs/json_cdr.conf.xml';
  expect([param(cdr, 'url'), param(cdr, 'cred'), param(cdr, 'err-log-dir')]).toEqual([
    '$${cdr_url}',
    'freeswitch:$${directory_token}',
    '$${cdr_spool}',
  ]);
  expect([param(cdr, 'encode'), param(cdr, 'encode-values')]).toEqual(['false', 'false']);
  // The queue keeps channels from waiting for an unreachable server.
  expect(Number(param(cdr, 'queue-capacity'))).toBeGreaterThan(0);
});

test('the switch is closed to phones until a server attends, and says so to servers [D12.8]', () => {
  expect(file('freeswitch.xml')).toMatch(/cmd="set" data="callout_attendance=true"/);
  expect(file('freeswitch.xml')).toMatch(/cmd="set" data="api_on_startup=fsctl pause inbound"/);
});

test('members of a conference cannot control it with their keypad', () => {
  expect(param('autoload_configs/conference.conf.xml', 'caller-controls')).toBe('none');
});

test('one unanswered OPTIONS disables a carrier, and one answer enables it again [A10]', () => {
  const carrier = 'sip_profiles/external/carrier.xml';
  expect(Number(param(carrier, 'ping'))).toBeLessThanOrEqual(10);
  expect([param(carrier, 'ping-min'), param(carrier, 'ping-max')]).toEqual(['1', '1']);
});
