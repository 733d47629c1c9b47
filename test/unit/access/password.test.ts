import { describe, expect, test } from '@jest/globals';
import { createPasswords } from '#access/passwords.ts';

/** Argon2's own test vector: password "password", salt "somesalt". */
const REFERENCE = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';

describe('passwords [D3.3]', () => {
  test('are hashed with standard argon2id', async () => {
    const passwords = createPasswords();
    expect(await passwords.verify('password', REFERENCE)).toBe(true);
    expect(await passwords.verify('Password', REFERENCE)).toBe(false);
  });

  test('are salted: two hashes of the same password differ, and both verify', async () => {
    const passwords = createPasswords();
    const [first, second] = [await passwords.hash('正确的密码'), await passwords.hash('正确的密码')];
    expect(first).not.toBe(second);
    expect(await passwords.verify('正确的密码', first)).toBe(true);
    expect(await passwords.verify('正确的密码', second)).toBe(true);
  });

  test('of an unknown user never verify', async () => {
    expect(await createPasswords().verify('', null)).toBe(false);
  });

  test.each(['', 'plain', '$argon2i$v=19$m=8,t=1,p=1$c29tc2FsdA$CTFh', '$2b$10$abcdefghijklmnopqrstuv'])(
    'do not verify against the hash %j',
    async hash => {
      expect(await createPasswords().verify('password', hash)).toBe(false);
    },
  );
});
