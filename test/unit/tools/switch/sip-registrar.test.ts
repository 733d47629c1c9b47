import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { manualClock } from '#test/support/manual-clock.ts';
import { Authorization } from '#tools/switch/sip/authorization.ts';
import { headerOf, headersNamed, type SipRequest } from '#tools/switch/sip/message.ts';
import type { PhoneSocket } from '#tools/switch/sip/phone-socket.ts';
import { type Binding, Registrar } from '#tools/switch/sip/registrar.ts';

const REALM = 'phones.example';
const PASSWORD = 'secret';

const md5 = (value: string) => createHash('md5').update(value).digest('hex');

function register(contact: string, { sequence = 1, callId = 'call-1', authorization = '' } = {}): SipRequest {
  return {
    kind: 'request',
    method: 'REGISTER',
    uri: `sip:${REALM}`,
    headers: [
      ['via', 'SIP/2.0/WS x;branch=z9hG4bK1'],
      ['from', `<sip:1001@${REALM}>;tag=a`],
      ['to', `<sip:1001@${REALM}>`],
      ['call-id', callId],
      ['cseq', `${sequence} REGISTER`],
      ['contact', contact],
      ...(authorization === '' ? [] : [['authorization', authorization] as const]),
    ],
    body: '',
  };
}

function aRegistrar() {
  const clock = manualClock();
  const told: string[] = [];
  const note = (what: string) => (binding: Binding) => void told.push(`${what} ${binding.contact}`);
  const registrar = new Registrar({ clock, onRegistered: note('+'), onUnregistered: note('-') });
  return { clock, told, registrar };
}

/** Sockets are only compared. */
const aSocket = () => ({}) as PhoneSocket;

describe('registrations', () => {
  test('a contact is kept until it expires, and each change is reported', async () => {
    const { clock, told, registrar } = aRegistrar();
    const response = registrar.register(aSocket(), '1001', register('<sip:a@x.invalid;transport=ws>;expires=60'));
    expect(headersNamed(response, 'contact')).toEqual(['<sip:a@x.invalid;transport=ws>;expires=60']);
    await clock.pass(59_000);
    expect(registrar.of('1001')).toHaveLength(1);
    await clock.pass(1_000);
    expect(registrar.of('1001')).toEqual([]);
    expect(told).toEqual(['+ sip:a@x.invalid;transport=ws', '- sip:a@x.invalid;transport=ws']);
  });

  test('the same phone on another socket replaces itself, and its old socket ends nothing', () => {
    const { told, registrar } = aRegistrar();
    const [before, after] = [aSocket(), aSocket()];
    registrar.register(before, '1001', register('<sip:a@x.invalid>;expires=60'));
    registrar.register(after, '1001', register('<sip:a@x.invalid;ob>;expires=60', { sequence: 2 }));
    registrar.socketClosed(before);
    expect(registrar.of('1001').map(({ socket }) => socket)).toEqual([after]);
    registrar.socketClosed(after);
    expect([registrar.of('1001'), told.at(-1)]).toEqual([[], '- sip:a@x.invalid;ob']);
  });

  test('zero seconds and a star end it; an older request changes nothing', () => {
    const { registrar } = aRegistrar();
    registrar.register(aSocket(), '1001', register('<sip:a@x.invalid>;expires=60', { sequence: 5 }));
    registrar.register(aSocket(), '1001', register('<sip:a@x.invalid>;expires=0', { sequence: 4 }));
    expect(registrar.of('1001')).toHaveLength(1);
    registrar.register(aSocket(), '1001', register('<sip:b@x.invalid>;expires=60', { callId: 'call-2' }));
    registrar.register(aSocket(), '1001', register('*', { sequence: 6 }));
    expect(registrar.of('1001')).toEqual([]);
  });

  test('an extension has room for five tabs', () => {
    const { registrar } = aRegistrar();
    const statuses = Array.from(
      { length: 6 },
      (_, index) => registrar.register(aSocket(), '1001', register(`<sip:p${index}@x.invalid>`)).status,
    );
    expect(statuses).toEqual([200, 200, 200, 200, 200, 503]);
  });
});

describe('passwords', () => {
  function anAuthorization() {
    const clock = manualClock();
    const findA1Hash = ({ extension, authUsername }: { extension: string; authUsername: string }) =>
      Promise.resolve(extension === '1001' && authUsername === '1001' ? md5(`1001:${REALM}:${PASSWORD}`) : null);
    return { clock, authorization: new Authorization({ clock, realm: REALM, findA1Hash }) };
  }

  function answerTo(
    challenge: string,
    { password = PASSWORD, username = '1001', nonce = /nonce="([^"]+)"/.exec(challenge)?.[1] ?? '' } = {},
  ) {
    const uri = `sip:${REALM}`;
    const response = md5(`${md5(`${username}:${REALM}:${password}`)}:${nonce}:00000001:c:auth:${md5(`REGISTER:${uri}`)}`);
    return `Digest username="${username}", realm="${REALM}", nonce="${nonce}", uri="${uri}", response="${response}", algorithm=MD5, cnonce="c", qop=auth, nc=00000001`;
  }

  async function ask(authorization: Authorization, credentials = '', extension = '1001') {
    return authorization.refusalOf(register('<sip:a@x.invalid>', { authorization: credentials }), extension);
  }

  async function challenged() {
    const { clock, authorization } = anAuthorization();
    const refusal = await ask(authorization);
    expect(refusal?.status).toBe(401);
    return { clock, authorization, challenge: refusal ? headerOf(refusal, 'www-authenticate') : '' };
  }

  test('a phone without credentials is challenged, and one that proves its password is let in', async () => {
    const { authorization, challenge } = await challenged();
    expect(await ask(authorization, answerTo(challenge))).toBeNull();
  });

  test('a wrong password, and another extension, are refused', async () => {
    const { authorization, challenge } = await challenged();
    expect((await ask(authorization, answerTo(challenge, { password: 'guess' })))?.status).toBe(403);
    expect((await ask(authorization, answerTo(challenge), '1002'))?.status).toBe(403);
  });

  test('a nonce of others is challenged anew, and an old one as stale', async () => {
    const { clock, authorization, challenge } = await challenged();
    expect((await ask(authorization, answerTo(challenge, { nonce: 'made-up' })))?.status).toBe(401);
    await clock.pass(61_000);
    const stale = await ask(authorization, answerTo(challenge));
    expect(stale ? headerOf(stale, 'www-authenticate') : '').toContain('stale=true');
  });
});
