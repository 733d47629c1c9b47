import { describe, expect, test } from '@jest/globals';
import { createPasswords } from '#operations/access/password.ts';

/** Argon2's own test vector: password "password", salt "somesalt". */
const REFERENCE = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';

describe('passwords [D3.3]', () => {
  test('are argon2id as everybody computes it', async () => {
    const passwords = createPasswords();
    expect(await passwords.verify('password', REFERENCE)).toBe(true);
    expect(await passwords.verify('Password', REFERENCE)).toBe(false);
  });

  test('are salted: the same one has another hash each time, and both verify', async () => {
    const passwords = createPasswords();
    const [first, second] = [await passwords.hash('正确的密码'), await passwords.hash('正确的密码')];
    expect(first).not.toBe(second);
    expect(await passwords.verify('正确的密码', first)).toBe(true);
    expect(await passwords.verify('正确的密码', second)).toBe(true);
  });

  test('of nobody are wrong, whatever they are', async () => {
    expect(await createPasswords().verify('', null)).toBe(false);
  });

  test.each(['', 'plain', '$argon2i$v=19$m=8,t=1,p=1$c29tc2FsdA$CTFh', '$2b$10$abcdefghijklmnopqrstuv'])(
    'do not match the hash %j',
    async hash => {
      expect(await createPasswords().verify('password', hash)).toBe(false);
    },
  );
});

describe('turns', () => {
  test('two work at once, the others wait, and whoever finds 64 waiting is told to come back', async () => {
    const passwords = createPasswords();
    await passwords.verify('the decoy is ready then', null);
    const gate = Promise.withResolvers<void>();
    let running = 0;
    const turn = () =>
      passwords.inTurn(async () => {
        running += 1;
        await gate.promise;
      });
    const taken = Array.from({ length: 66 }, turn);
    await expect(turn()).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 });
    expect(running).toBe(2);
    gate.resolve();
    await Promise.all(taken);
    expect(running).toBe(66);
  });

  test('a failing one gives its place back', async () => {
    const passwords = createPasswords();
    for (let index = 0; index < 5; index++) await expect(passwords.inTurn(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
    expect(await passwords.inTurn(() => Promise.resolve('free'))).toBe('free');
  });
});
