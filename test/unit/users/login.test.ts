import { expect, test } from '@jest/globals';
import { login } from '#users/login.ts';
import type { CredentialsPart } from '#access/login-limit.ts';
import type { Platform } from '#platform/platform.ts';
import type { AuditPart } from '#audit/audit.ts';
import type { AccessAuditPart } from '#audit/access-audit.ts';
import type { SessionsPart } from '#access/sessions.ts';

test('a blocked address is refused at once and takes no turn in the login queue [D3.3]', async () => {
  const turns: string[] = [];
  const deps = {
    loginLimit: { blockedForSeconds: async ({ address }: { address: string }) => (address === '192.0.2.1' ? 60 : null) },
    passwords: {
      inTurn: async (network: string) => {
        turns.push(network);
        throw new Error('a turn is enough for this test');
      },
    },
  } as unknown as AuditPart & AccessAuditPart & SessionsPart & CredentialsPart & Pick<Platform, 'db' | 'clock'>;
  const tryFrom = (ip: string) => login(deps, { username: 'admin', password: 'x' }, { ip, traceId: 'trace' });
  await expect(tryFrom('192.0.2.1')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 60 });
  expect(turns).toEqual([]);
  await expect(tryFrom('2001:db8::7')).rejects.toThrow('a turn is enough');
  expect(turns).toEqual(['2001:db8:0:0']);
});
