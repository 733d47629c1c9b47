import { describe, expect, test } from '@jest/globals';
import { createSeal } from '#access/seal.ts';
import type { AgentChanges } from '#agents/agent.ts';
import { agentFields } from '#agents/change-agents.ts';

const deps = { cellIds: new Set<string>(), seal: createSeal('ab'.repeat(32)) };
const current = { name: '甲', phoneExtension: '1001', groupId: null, userId: 7, cellId: null, isEnabled: true, authUsername: '' };
const passwordAfter = (input: AgentChanges) => agentFields(deps, current, input).sealedPassword;

describe('the SIP password of a phone belongs to the user that it was given to', () => {
  test.each([[{ userId: 8 }], [{ userId: null }], [{ userId: 8, name: '乙' }]])('the change %j clears it', input => {
    expect(passwordAfter(input)).toBeNull();
  });

  test.each([[{}], [{ userId: 7 }], [{ name: '乙', isEnabled: false }]])('the change %j keeps it', input => {
    expect(passwordAfter(input)).toBeUndefined();
  });

  test('a change of user can set a new password', () => {
    expect(deps.seal.open(passwordAfter({ userId: 8, sipPassword: 'new' }) ?? '')).toBe('new');
  });
});
