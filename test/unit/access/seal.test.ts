import { createCipheriv } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createSeal } from '#operations/access/seal.ts';

const KEY = '0123456789abcdef'.repeat(4);
const seal = createSeal(KEY);
const parts = (sealed: string) => sealed.split('.');

/** As version 1 sealed it, without a use; `tagBytes`: what a forger would like to get by with. */
function sealedBefore(secret: string, tagBytes = 16): string {
  const nonce = Buffer.alloc(12, 7);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(KEY, 'hex'), nonce, { authTagLength: tagBytes });
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return ['v1', ...[nonce, cipher.getAuthTag(), text].map(part => part.toString('base64url'))].join('.');
}

test('what is sealed opens again, each time another text', () => {
  const [one, two] = [seal.close('geheim 密码'), seal.close('geheim 密码')];
  expect(one).not.toBe(two);
  expect([seal.open(one), seal.open(two)]).toEqual(['geheim 密码', 'geheim 密码']);
});

test('what was sealed before opens still', () => {
  expect(seal.open(sealedBefore('old'))).toBe('old');
});

test('a short tag, another use, another key and garbage do not open, and are told alike', () => {
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
