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
} from '#platform/freeswitch/channel-variables.ts';
import switchVariables from '#platform/freeswitch/switch-variables.json' with { type: 'json' };

describe('names of channel variables', () => {
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
    'comma',
    'hotline',
    'nextVisit',
    'xingming',
    'kehu_dengji',
    'unlisted',
    'whatever_this_is',
    'call_time',
    'last_visit',
    'id',
  ])('%s is allowed [D4.5]', name => expect(isVariableName(name)).toBe(true));

  test.each([
    'temp_hold_music',
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
    // The switch ignores case: there these are origination_uuid, originator and timezone.
    'originAtion_uuid',
    'originAtor',
    'timeZone',
    // Names that the switch forms at run time or recognises by their prefix.
    'rtp_last_audio_local_crypto_key',
    'sip_redirect_contact_12',
    'sip_rh_X-Anything',
    'execute_on_answer_7',
    '_nolocal_x',
    // Settings of a single word.
    'domain',
    'password',
    'context',
    'accountcode',
  ])('%s is reserved, because the switch reads it [D4.5]', name => expect(isVariableName(name)).toBe(false));

  test.each(['', '姓名', 'a b', 'a=b', 'a,b', 'a{b', 'a.b', 'a:b', 'a\nb', 'x'.repeat(MAX_VARIABLE_NAME_LENGTH + 1)])(
    '%j is not allowed: invalid characters or too long [D4.5]',
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
  ])('%s is reserved by the switch, by SIP or by Callout [D4.5]', name => expect(isVariableName(name)).toBe(false));
});

describe('values of channel variables', () => {
  test.each(['王小明', 'a, b', '$5', '100%', '{"a":1}', "O'Brien", 'a{b', 'a:_:b', '', '&park()', '#1'])('%j is allowed [D4.5]', value => {
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
  ])('%j is not allowed, because the switch would expand it [D4.5]', value => expect(isVariableValue(value)).toBe(false));

  test("Callout's own variables are allowed by name, but never with a value to expand", () => {
    expect(isChannelVariable('callout_request_id', 'a')).toBe(true);
    expect(isChannelVariable('callout_request_id', '${a}')).toBe(false);
    expect(isChannelVariable('callout_other', 'a')).toBe(false);
    expect(isChannelVariable('callout_var_uuid', 'a')).toBe(true);
    // A name that is not reserved must not use this prefix.
    expect(isChannelVariable('callout_var_city', 'a')).toBe(false);
  });
});

describe('channelVariables', () => {
  test('a value that the switch would expand is left out and reported by name [D4.5]', () => {
    expect(channelVariables({ note: '${system(id > /tmp/x)}', city: '北京' }, { city: '${x}' })).toEqual({
      variables: { city: '北京' },
      leftOut: ['note', 'city'],
      renamed: [],
    });
  });

  test('the contact takes precedence over the campaign, also if names differ only in case [D4.5]', () => {
    expect(channelVariables({ product: '贷款', city: '上海' }, { City: '北京', product: '保险' })).toEqual({
      variables: { product: '保险', City: '北京' },
      leftOut: [],
      renamed: [],
    });
  });

  test('only string values are used; others are ignored silently [OCS 2.6, 2.7]', () => {
    expect(channelVariables({ a: 1, b: null, c: { d: 'x' }, e: ['x'] }, { f: true, g: '', h: '1' })).toEqual({
      variables: { g: '', h: '1' },
      leftOut: [],
      renamed: [],
    });
  });

  test('a reserved name becomes callout_var_<name>, an invalid one is left out, and each is reported once [D4.5]', () => {
    const campaign = { uuid: 'x', 姓名: '张', '1st': 'a', callout_request_id: 'forged' };
    expect(channelVariables(campaign, { uuid: 'y', ok: 'z', 'sip_h_X-Evil': 'h', 'a b': 'c' })).toEqual({
      variables: {
        callout_var_uuid: 'y',
        callout_var_1st: 'a',
        callout_var_callout_request_id: 'forged',
        ok: 'z',
        'callout_var_sip_h_X-Evil': 'h',
      },
      leftOut: ['姓名', 'a b'],
      renamed: ['uuid', '1st', 'callout_request_id', 'sip_h_X-Evil'],
    });
  });

  test('no reserved name reaches the switch under that name, whatever its case [D4.5]', () => {
    fc.assert(
      fc.property(fc.constantFrom(...switchVariables.names), fc.boolean(), fc.string({ maxLength: 6 }), (pattern, isUpper, part) => {
        const name = pattern.replaceAll('*', part);
        const given = isUpper ? name.toUpperCase() : name;
        const { variables } = channelVariables({ [given]: 'v' }, {});
        for (const set of Object.keys(variables)) expect(set).toBe(`callout_var_${given}`);
      }),
      { numRuns: 5_000 },
    );
  });

  test('a left-out value of the contact does not remove that of the campaign', () => {
    const long = 'x'.repeat(MAX_VARIABLE_VALUE_LENGTH + 1);
    expect(channelVariables({ note: 'short' }, { note: long })).toEqual({ variables: { note: 'short' }, leftOut: ['note'], renamed: [] });
  });

  test('the number of variables is limited', () => {
    const many = Object.fromEntries(Array.from({ length: MAX_CHANNEL_VARIABLES + 2 }, (_, i) => [`v${i}`, 'x']));
    const { variables, leftOut } = channelVariables(many, { v0: 'later' });
    expect(Object.keys(variables)).toHaveLength(MAX_CHANNEL_VARIABLES);
    expect(variables['v0']).toBe('later');
    expect(leftOut).toEqual(['v100', 'v101']);
  });

  test('the total length of names and values is limited', () => {
    const value = 'x'.repeat(MAX_VARIABLE_VALUE_LENGTH);
    const { variables, leftOut } = channelVariables(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`v${i}`, value])), {});
    const length = Object.entries(variables).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    expect(length).toBeLessThanOrEqual(MAX_VARIABLES_LENGTH);
    expect(Object.keys(variables).length + leftOut.length).toBe(40);
    expect(leftOut.length).toBeGreaterThan(0);
  });

  test('whatever the input, only safe names are set', () => {
    const record = fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('uuid', 'sip_x', '__proto__', 'constructor', 'ok', 'note')),
      fc.oneof(fc.string(), fc.integer(), fc.constantFrom('${x}', '$\t{x}')),
    );
    fc.assert(
      fc.property(record, record, (campaign, metadata) => {
        const { variables, leftOut } = channelVariables(campaign, metadata);
        for (const [name, value] of Object.entries(variables)) {
          expect(isChannelVariable(name, value)).toBe(true);
          expect(isVariableName(name) || name.startsWith('callout_var_')).toBe(true);
        }
        for (const name of leftOut) expect(Object.hasOwn(campaign, name) || Object.hasOwn(metadata, name)).toBe(true);
      }),
    );
  });
});
