import { createCipheriv } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createSeal } from '#access/seal.ts';

const KEY = '0123456789abcdef'.repeat(4);
const seal = createSeal(KEY);
const parts = (sealed: string) => sealed.split('.');

/** Seals as version 1 did, without a purpose; `tagBytes`: tag length, shorter in a forgery. */
function sealedBefore(secret: string, tagBytes = 16): string {
  const nonce = Buffer.alloc(12, 7);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(KEY, 'hex'), nonce, { authTagLength: tagBytes });
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return ['v1', ...[nonce, cipher.getAuthTag(), text].map(part => part.toString('base64url'))].join('.');
}

test('a sealed secret opens again, and each sealing gives a different text', () => {
  const [one, two] = [seal.close('geheim 密码'), seal.close('geheim 密码')];
  expect(one).not.toBe(two);
  expect([seal.open(one), seal.open(two)]).toEqual(['geheim 密码', 'geheim 密码']);
});

test('secrets sealed by version 1 still open', () => {
  expect(seal.open(sealedBefore('old'))).toBe('old');
});

test('a short tag, another purpose, another key and garbage are refused with the same error', () => {
  const [, nonce, tag, text] = parts(seal.close('secret'));
  const faults = [
    sealedBefore('old', 4),
    ['v1', nonce, tag, text].join('.'),
    sealedBefore('old').replace('v1', 'v3'),
    ['v2', nonce, tag?.slice(0, 8), text].join('.'),
    ['v2', '', tag, text].join('.'),
    'garbage',
    createSeal('f'.repeat(64)).close('secret'),
  ];
  for (const sealed of faults) expect(() => seal.open(sealed)).toThrow('SIP 密码由另一把密钥加密');
});
