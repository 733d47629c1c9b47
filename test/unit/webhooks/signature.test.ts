import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { newSigningSecret } from '#access/tokens.ts';
import { signedHeaders } from '#webhooks/decisions/signature.ts';

const BODY = JSON.stringify({ type: 'attempt.settled', data: { 姓名: '张三' } });
const sign = (secrets: readonly string[], at = Date.now()) => signedHeaders({ messageId: 'message-1', at, body: BODY }, secrets);

describe('signatures of Standard Webhooks [D15.4]', () => {
  test('are verified by the package of the standard', () => {
    const secret = newSigningSecret();
    expect(new Webhook(secret).verify(BODY, sign([secret]))).toEqual(JSON.parse(BODY));
  });

  test('hold with the old and with the new secret while both sign', () => {
    const [older, newer] = [newSigningSecret(), newSigningSecret()];
    const headers = sign([newer, older]);
    expect(new Webhook(older).verify(BODY, headers)).toEqual(JSON.parse(BODY));
    expect(new Webhook(newer).verify(BODY, headers)).toEqual(JSON.parse(BODY));
    expect(() => new Webhook(newSigningSecret()).verify(BODY, headers)).toThrow('No matching signature');
  });

  test('do not hold for another body, or after five minutes', () => {
    const secret = newSigningSecret();
    expect(() => new Webhook(secret).verify(`${BODY} `, sign([secret]))).toThrow('No matching signature');
    expect(() => new Webhook(secret).verify(BODY, sign([secret], Date.now() - 301_000))).toThrow('too old');
  });

  test('are made with 32 bytes of key, another for each secret', () => {
    expect(Buffer.from(newSigningSecret().replace('whsec_', ''), 'base64')).toHaveLength(32);
    expect(newSigningSecret()).not.toBe(newSigningSecret());
  });
});
