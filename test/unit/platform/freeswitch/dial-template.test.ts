import { describe, expect, test } from '@jest/globals';
import { wordsOf } from '#kernel/problem.ts';
import { fillDialTemplate, readDialTemplate } from '#platform/freeswitch/dial-template.ts';

const N = '{{destinationNumber}}';

describe('dial strings allowed for a line [D4.1]', () => {
  test.each([
    [`sofia/gateway/carrier/${N}`, null],
    [`sofia/gateway/external::gw.1/9${N}`, null],
    [`sofia/gateway/gw1/+86${N};user=phone`, null],
    [`sofia/external/${N}@127.0.0.1`, '127.0.0.1'],
    [`sofia/external/sip:${N}@sbc.example.com:5090;transport=tcp`, 'sbc.example.com:5090'],
    [`sofia/external/${N}@sbc.example.com`, 'sbc.example.com'],
    [`user/${N}@sip.example.com`, 'sip.example.com'],
    [`user/${N}`, null],
    [`{absolute_codec_string=PCMA,sip_h_X-Account=77}[leg_timeout=20]sofia/gateway/gw1/${N}`, null],
  ])('%s', (template, host) => {
    const read = readDialTemplate(template);
    expect(read).toMatchObject({ kind: 'allowed', host });
    if (read.kind === 'allowed')
      expect(fillDialTemplate(read, { number: '$&10086', sipProfile: 'external' })).toBe(template.replace(N, () => '$&10086'));
  });

  test('the SIP profile is that of the dialling cell', () => {
    const read = readDialTemplate(`sofia/{{sipProfile}}/${N}@sbc.example.com`);
    expect(read).toMatchObject({ kind: 'allowed', host: 'sbc.example.com' });
    if (read.kind === 'allowed')
      expect(fillDialTemplate(read, { number: '10086', sipProfile: 'inner' })).toBe('sofia/inner/10086@sbc.example.com');
    expect(readDialTemplate(`sofia/{{sipProfile}}x/${N}@sbc.example.com`).kind).toBe('refused');
  });

  test.each([
    [`loopback/app=system:/x.sh;${N}`, '不允许的拨号方式 loopback/app=system:'],
    [`loopback/app=socket:10.0.0.1:9;${N}`, '不允许的拨号方式 loopback/app=socket:'],
    [`loopback/${N}/default`, '不允许的拨号方式 loopback/'],
    [`{record_post_process_exec_api=system:/x.sh}sofia/gateway/gw1/${N}`, '不允许的变量 record_post_process_exec_api'],
    [`{exec_after_bridge_app=system}sofia/gateway/gw1/${N}`, '不允许的变量 exec_after_bridge_app'],
    [`{api_hangup_hook=system}sofia/gateway/gw1/${N}`, '不允许的变量 api_hangup_hook'],
    [`[execute_on_answer=x]sofia/gateway/gw1/${N}`, '不允许的变量 execute_on_answer'],
    [`{origination_uuid=x}sofia/gateway/gw1/${N}`, '不允许的变量 origination_uuid'],
    [`{ignore_early_media=false}sofia/gateway/gw1/${N}`, '不允许的变量 ignore_early_media'],
    [`{ABSOLUTE_CODEC_STRING=PCMA}sofia/gateway/gw1/${N}`, '不允许的变量 ABSOLUTE_CODEC_STRING'],
    [`{^^:a=b}sofia/gateway/gw1/${N}`, '不允许的变量 ^^:a'],
    [`{sip_h_X-A=\${system(id)}}sofia/gateway/gw1/${N}`, '不允许的'],
    [`{sip_h_X-A=a b}sofia/gateway/gw1/${N}`, '变量 sip_h_X-A 的值'],
    [`{sip_h_X-A=}sofia/gateway/gw1/${N}`, '变量 sip_h_X-A 的值'],
    [`{sip_h_X-A=a:_:b}sofia/gateway/gw1/${N}`, '变量 sip_h_X-A 的值'],
    [`{sip_h_X-A=${N}}sofia/gateway/gw1/1`, '不允许的'],
    [`<sip_h_X-A=1>sofia/gateway/gw1/${N}`, '不允许的拨号方式 <'],
    [`sofia/gateway/gw1/${N}|sofia/gateway/gw2/100`, '不允许的拨号方式'],
    [`sofia/gateway/gw1/${N},sofia/gateway/gw2/100`, '不允许的拨号方式'],
    [`sofia/gateway/gw1/${N} &system(reboot)`, '不允许的拨号方式'],
    [`sofia/gateway/gw1/${N}:_:null/x`, '不允许的拨号方式'],
    [`sofia/gateway/gw1/${N};fs_path=sip:10.0.0.1`, '不允许的拨号方式'],
    [`sofia/gateway/${N}/1`, '不允许的拨号方式'],
    [`sofia/external/${N}`, '不允许的拨号方式'],
    [`sofia/external/1@${N}`, '不允许的拨号方式'],
    [`sofia/external/${N}@a@b`, '不允许的拨号方式'],
    [`sofia/external/${N}%realm`, '不允许的拨号方式'],
    [`error/${N}`, '不允许的拨号方式 error/'],
    [`null/${N}`, '不允许的拨号方式 null/'],
    [`group/${N}@x`, '不允许的拨号方式 group/'],
    [`verto.rtc/${N}`, '不允许的拨号方式 verto.rtc/'],
    [`pickup/${N}`, '不允许的拨号方式 pickup/'],
    [`SOFIA/gateway/gw1/${N}`, '不允许的拨号方式 SOFIA/'],
    [`sofia/gateway/gw1/${N}\n`, '不允许的拨号方式'],
    [`sofia/gateway/gw1/${N}${N}`, '不允许的拨号方式'],
    ['sofia/gateway/gw1/10086', '不允许的拨号方式'],
    [`x${'y'.repeat(500)}/${N}`, '不允许的拨号方式 xyyy'],
  ])('%j is refused: %s', (template, fault) => {
    const read = readDialTemplate(template);
    const text = read.kind === 'refused' ? wordsOf(read.fault, 'zh') : '';
    expect(text).toContain(fault);
    expect(text.length).toBeLessThan(200);
  });
});
