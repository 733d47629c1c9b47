import { describe, expect, test } from '@jest/globals';
import { anonymousCaller, builtInAdmin, internalCaller } from '#kernel/caller.ts';
import { callerOf, type Session, type SessionsPart } from '#access/sessions.ts';
import { meOf, whoAmI } from '#users/own-account.ts';

const ORIGIN = { ip: null, traceId: 'test' };
const SESSION: Session = { sessionId: 's', userId: 7, username: 'anna', displayName: '安娜', role: 'agent', expiresAt: 1 };

function depsWith(session: Session | null, authEnabled = true): SessionsPart {
  const sessions = { find: () => Promise.resolve(session) } as unknown as SessionsPart['sessions'];
  return { sessions, sessionSignals: {} as SessionsPart['sessionSignals'], authEnabled };
}

describe('the user derived from the caller equals the one read from the session [D3.4]', () => {
  test.each([
    ['a session', SESSION, true],
    ['no session', null, true],
    ['no authentication', null, false],
  ] as const)('%s', async (_what, session, authEnabled) => {
    const deps = depsWith(session, authEnabled);
    expect(meOf(await callerOf(deps, 'token', ORIGIN), authEnabled)).toEqual(await whoAmI(deps, 'token'));
  });

  test('anonymous and internal callers have no user', () => {
    for (const caller of [anonymousCaller(ORIGIN), internalCaller(ORIGIN)]) expect(meOf(caller, true).authenticated).toBe(false);
    expect(meOf(builtInAdmin(ORIGIN), false).user).toEqual({ id: 0, username: 'admin', displayName: '管理员', role: 'admin' });
  });
});
