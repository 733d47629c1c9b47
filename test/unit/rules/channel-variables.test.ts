import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  channelVariables,
  isChannelVariable,
  isVariableName,
  isVariableValue,
  MAX_CHANNEL_VARIABLES,
  MAX_VARIABLE_NAME_LENGTH,
  MAX_VARIABLE_VALUE_LENGTH,
  MAX_VARIABLES_LENGTH,
} from '#rules/channel-variables.ts';

describe('names', () => {
  test.each([
    'orderNo',
    'ORDER_NO',
    'customer_name',
    'due-date',
    'x1',
    'state',
    'City',
    'column_3',
    'order2',
    'last_name',
    'loanAmount',
    'vip',
  ])('%s passes [D4.5]', name => expect(isVariableName(name)).toBe(true));

  test.each([
    'temp_hold_music',
    'verbose_events',
    'alert_info',
    'socket_resume',
    'deny_refer_requests',
    'drop_dtmf',
    'no_throttle_limits',
    'return_ring_ready',
    'other_loopback_leg_uuid',
    't38_passthru',
    'limit_ignore_transfer',
    'default_language',
    // The switch does not see the case: these are origination_uuid, originator and timezone there.
    'originAtion_uuid',
    'originAtor',
    'timeZone',
    'whatever_this_is',
    'unlisted',
  ])('%s does not: no word of the list begins it [D4.5]', name => expect(isVariableName(name)).toBe(false));

  test.each(['', '姓名', 'a b', 'a=b', 'a,b', 'a{b', 'a.b', 'a:b', 'a\nb', 'x'.repeat(MAX_VARIABLE_NAME_LENGTH + 1)])(
    '%j does not: other characters or too long [D4.5]',
    name => expect(isVariableName(name)).toBe(false),
  );

  test.each([
    'origination_uuid',
    'origination_caller_id_number',
    'originate_timeout',
    'sip_h_X-Evil',
    'sip_from_user',
    'effective_caller_id_number',
    'absolute_codec_string',
    'api_hangup_hook',
    'api_on_answer',
    'exec',
    'execute_on_answer',
    'execute_on_media',
    'exec_after_bridge_app',
    'bridge_pre_execute_aleg_app',
    'hangup_after_bridge',
    'park_after_bridge',
    'park_timeout',
    'group_confirm_key',
    'uuid',
    'bypass_media',
    'bypass_media_after_bridge',
    'callout_request_id',
    'Callout_Attempt_Id',
    'SIP_H_x',
    'record_post_process_exec_app',
    'RECORD_STEREO',
    'session_in_hangup_hook',
    'ignore_early_media',
    'rtp_secure_media',
    'transfer_after_bridge',
    'transfer_fallback_extension',
  ])('%s is reserved by the switch, by sip or by Callout [D4.5]', name => expect(isVariableName(name)).toBe(false));
});

describe('values', () => {
  test.each(['王小明', 'a, b', '$5', '100%', '{"a":1}', "O'Brien", 'a{b', 'a:_:b', '', '&park()', '#1'])('%j passes [D4.5]', value => {
    expect(isVariableValue(value)).toBe(true);
  });

  test.each([
    '${system(id > /tmp/x)}',
    'a ${caller_id_number} b',
    '$${domain}',
    '$$x',
    '$\u0001{system(id)}',
    "$'{system(id)}'",
    '$\\{system(id)}',
    '$ {system(id)}',
    '&{system(id)}',
    '%{system(id)}',
    '@{x}',
    '#{x}',
  ])('%j does not, nor does what a split of the switch would make of it [D4.5]', value => expect(isVariableValue(value)).toBe(false));

  test("what is Callout's own passes by its name, never with a value to expand", () => {
    expect(isChannelVariable('callout_request_id', 'a')).toBe(true);
    expect(isChannelVariable('callout_request_id', '${a}')).toBe(false);
    expect(isChannelVariable('callout_other', 'a')).toBe(false);
  });
});

describe('channelVariables', () => {
  test('a value that the switch would expand is left out and told by its name [D4.5]', () => {
    expect(channelVariables({ note: '${system(id > /tmp/x)}', city: '北京' }, { city: '${x}' })).toEqual({
      variables: { city: '北京' },
      leftOut: ['note', 'city'],
    });
  });

  test('the contact wins over the campaign, also when only the case differs [D4.5]', () => {
    expect(channelVariables({ product: '贷款', city: '上海' }, { City: '北京', product: '保险' })).toEqual({
      variables: { product: '保险', City: '北京' },
      leftOut: [],
    });
  });

  test('only string values are taken; others are not reported [OCS 2.6, 2.7]', () => {
    expect(channelVariables({ a: 1, b: null, c: { d: 'x' }, e: ['x'] }, { f: true, g: '', h: '1' })).toEqual({
      variables: { g: '', h: '1' },
      leftOut: [],
    });
  });

  test('names each left-out variable once [D4.5]', () => {
    expect(channelVariables({ uuid: 'x', 姓名: '张' }, { uuid: 'y', ok: 'z' })).toEqual({
      variables: { ok: 'z' },
      leftOut: ['uuid', '姓名'],
    });
  });

  test('a left-out value of the contact does not remove the one of the campaign', () => {
    const long = 'x'.repeat(MAX_VARIABLE_VALUE_LENGTH + 1);
    expect(channelVariables({ note: 'short' }, { note: long })).toEqual({ variables: { note: 'short' }, leftOut: ['note'] });
  });

  test('is bounded in number', () => {
    const many = Object.fromEntries(Array.from({ length: MAX_CHANNEL_VARIABLES + 2 }, (_, i) => [`v${i}`, 'x']));
    const { variables, leftOut } = channelVariables(many, { v0: 'later' });
    expect(Object.keys(variables)).toHaveLength(MAX_CHANNEL_VARIABLES);
    expect(variables['v0']).toBe('later');
    expect(leftOut).toEqual(['v100', 'v101']);
  });

  test('is bounded in length, names included', () => {
    const value = 'x'.repeat(MAX_VARIABLE_VALUE_LENGTH);
    const { variables, leftOut } = channelVariables(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`v${i}`, value])), {});
    const length = Object.entries(variables).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    expect(length).toBeLessThanOrEqual(MAX_VARIABLES_LENGTH);
    expect(Object.keys(variables).length + leftOut.length).toBe(40);
    expect(leftOut.length).toBeGreaterThan(0);
  });

  test('whatever comes in, only safe names go out', () => {
    const record = fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('uuid', 'sip_x', '__proto__', 'constructor', 'ok', 'note')),
      fc.oneof(fc.string(), fc.integer(), fc.constantFrom('${x}', '$\t{x}')),
    );
    fc.assert(
      fc.property(record, record, (campaign, metadata) => {
        const { variables, leftOut } = channelVariables(campaign, metadata);
        for (const [name, value] of Object.entries(variables)) {
          expect(isVariableName(name)).toBe(true);
          expect(isVariableValue(value)).toBe(true);
        }
        for (const name of leftOut) expect(Object.hasOwn(campaign, name) || Object.hasOwn(metadata, name)).toBe(true);
      }),
    );
  });
});
