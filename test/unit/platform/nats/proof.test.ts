import { describe, expect, test } from '@jest/globals';
import { MAX_PROOF_AGE_MS, PROOF_TEST_VECTOR, proofHeaders, proofKeyOf, prove } from '#protocol/proof.ts';
import { type ProofGate, proofFault, reportFault, seenProofs } from '#platform/nats/proof.ts';

const SENT_AT = 1_795_000_000_000;
const key = proofKeyOf('secret');

function gateAt(now: { at: number }, proofKey: Buffer | null = key): ProofGate {
  return { proofKey: () => proofKey, clock: { now: () => now.at }, proofs: seenProofs() };
}

function signed(subject = 'callout.v1.captions.x', text = '{"a":1}', sentAt = SENT_AT, id = 'id-1') {
  const headers = proofHeaders(key, { subject, id, sentAt: String(sentAt) }, text);
  return { subject, headers, bytes: Buffer.from(text) };
}

test('the example of the contract matches the computed proof [D3.8]', () => {
  const { internalToken, keyHex, proof, body, ...proven } = PROOF_TEST_VECTOR;
  expect(proofKeyOf(internalToken).toString('hex')).toBe(keyHex);
  expect(prove(proofKeyOf(internalToken), proven, body)).toBe(proof);
});

describe('a message signed with the internal token [D3.8]', () => {
  test('is accepted once: an eavesdropper cannot resend it, nor reuse its proof for another message', () => {
    const gate = gateAt({ at: SENT_AT });
    const message = signed();
    expect(proofFault(gate, { ...message, subject: 'callout.v1.captions.y' })).toBe('wrong');
    expect(proofFault(gate, { ...message, bytes: Buffer.from('{"a":2}') })).toBe('wrong');
    expect(proofFault(gate, { ...message, headers: { ...message.headers, 'Nats-Msg-Id': 'id-2' } })).toBe('wrong');
    expect(proofFault(gate, { ...message, headers: { ...message.headers, 'Callout-Time': String(SENT_AT + 1) } })).toBe('wrong');
    expect(proofFault(gate, message)).toBeNull();
    expect(proofFault(gate, message)).toBe('repeated');
  });

  test.each([{}, { headers: {} }, { headers: { 'Callout-Proof': 'x', 'Callout-Time': String(SENT_AT) } }])(
    'fails without a proof: %j',
    more => {
      expect(proofFault(gateAt({ at: SENT_AT }), { subject: 's', bytes: Buffer.from('{}'), ...more })).toBe('missing');
    },
  );

  test('is stale more than a minute before or after its time, and remembered for that long', () => {
    for (const by of [MAX_PROOF_AGE_MS + 1, -MAX_PROOF_AGE_MS - 1])
      expect(proofFault(gateAt({ at: SENT_AT + by }), signed())).toBe('stale');
    const now = { at: SENT_AT - MAX_PROOF_AGE_MS };
    const gate = gateAt(now);
    expect(proofFault(gate, signed())).toBeNull();
    for (const at of [SENT_AT - 1, SENT_AT, SENT_AT + MAX_PROOF_AGE_MS]) {
      now.at = at;
      expect(proofFault(gate, signed('s', '{}', at, `id-${at}`))).toBeNull();
      expect(proofFault(gate, signed())).toBe('repeated');
    }
  });

  test('needs no proof where no token is set (OCS 5 rule 4)', () => {
    expect(proofFault(gateAt({ at: 0 }, null), { subject: 's', bytes: Buffer.from('{}') })).toBeNull();
  });
});

test('a report redelivered by the stream, even hours later, is not a repetition: its age is measured when it was stored', () => {
  const gate = gateAt({ at: SENT_AT + 7_200_000 });
  const report = { ...signed('callout.v1.runtime.result.x'), storedAt: SENT_AT + 20 };
  for (let delivery = 0; delivery < 2; delivery += 1) expect(reportFault(gate, report)).toBeNull();
  expect(reportFault(gate, { ...report, storedAt: SENT_AT + MAX_PROOF_AGE_MS + 1 })).toBe('stale');
  expect(reportFault(gate, { ...report, bytes: Buffer.from('{"callStatus":"busy"}') })).toBe('wrong');
});
