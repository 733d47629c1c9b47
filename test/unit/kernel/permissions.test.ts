import { describe, expect, test } from '@jest/globals';
import { PERMISSION_KEYS, PERMISSIONS, permissionsOf, ROLES } from '#kernel/caller.ts';

const CHINESE = /[\u4e00-\u9fff]/;

describe('permissions', () => {
  test('there are the eleven permissions of the contract and one to see numbers, described in Chinese [OCS 2.3, D3.11]', () => {
    expect(PERMISSIONS.map(({ key }) => key)).toEqual([
      'admin',
      'audit:read',
      'line:write',
      'campaign:write',
      'campaign:dispatch',
      'policy:write',
      'compliance:write',
      'import:write',
      'contact:write',
      'contact:reveal',
      'agent:write',
      'agent:operate',
    ]);
    for (const { label, description } of PERMISSIONS) {
      expect(label).toMatch(CHINESE);
      expect(description).toMatch(CHINESE);
    }
  });

  test('admin has all [D3.1]', () => {
    expect(permissionsOf('admin')).toEqual(PERMISSION_KEYS);
  });

  test('supervisor has all except admin and line:write [D3.1]', () => {
    expect(PERMISSION_KEYS.filter(key => !permissionsOf('supervisor').includes(key))).toEqual(['admin', 'line:write']);
  });

  test('an agent can only operate the softphone [D3.1, OCS 2.3 rule 1]', () => {
    expect(permissionsOf('agent')).toEqual(['agent:operate']);
  });

  test('role rows have Chinese labels and the permission matrix [OCS 2.4]', () => {
    expect(ROLES.map(({ role }) => role)).toEqual(['admin', 'supervisor', 'agent']);
    for (const row of ROLES) {
      expect(row.label).toMatch(CHINESE);
      expect(row.permissions).toEqual(permissionsOf(row.role));
    }
  });
});
