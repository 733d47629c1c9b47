import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { messageOf } from '#webhooks/decisions/people-message.ts';
import { ROBOTS } from '#webhooks/decisions/robots.ts';

const AT = 1_764_400_000_000;
const MESSAGE = { title: '【严重】交换机不可达', text: '已停止在该节点拨号', link: null };

describe('robots of chat groups [D15.6]', () => {
  test('Feishu: the key is second and secret, the content is empty', () => {
    const { url, body } = ROBOTS.feishu.requestOf({ url: 'https://f.example/hook', secret: 'word' }, MESSAGE, AT);
    expect(url).toBe('https://f.example/hook');
    expect(body).toEqual({
      timestamp: '1764400000',
      sign: createHmac('sha256', '1764400000\nword').digest('base64'),
      msg_type: 'post',
      content: { post: { zh_cn: { title: MESSAGE.title, content: [[{ tag: 'text', text: MESSAGE.text }]] } } },
    });
    expect(ROBOTS.feishu.requestOf({ url, secret: '' }, MESSAGE, AT).body).not.toHaveProperty('sign');
  });

  test('DingTalk: millisecond and secret are signed with the secret, beside the token of the address', () => {
    const { url, body } = ROBOTS.dingtalk.requestOf({ url: 'https://d.example/send?access_token=t', secret: 'SECword' }, MESSAGE, AT);
    const { searchParams } = new URL(url);
    expect(searchParams.get('access_token')).toBe('t');
    expect(searchParams.get('timestamp')).toBe(String(AT));
    expect(searchParams.get('sign')).toBe(createHmac('sha256', 'SECword').update(`${AT}\nSECword`).digest('base64'));
    expect(url).not.toMatch(/sign=[^&]*[+/]/);
    expect(body).toEqual({ msgtype: 'text', text: { content: `${MESSAGE.title}\n${MESSAGE.text}` } });
  });

  test('WeCom: 2,048 bytes, and no character is cut in two', () => {
    const { body } = ROBOTS.wecom.requestOf({ url: 'https://w.example', secret: '' }, { ...MESSAGE, text: '警'.repeat(5_000) });
    const text = JSON.stringify(body);
    expect(Buffer.byteLength(text)).toBeLessThan(2_100);
    expect(text).not.toContain('\uFFFD');
  });

  test.each([
    ['feishu', '{"code":0,"msg":"success"}', null],
    ['feishu', '{"code":19021,"msg":"sign match fail"}', '19021 sign match fail'],
    ['dingtalk', '{"errcode":0,"errmsg":"ok"}', null],
    ['dingtalk', '{"errcode":310000,"errmsg":"sign not match"}', '310000 sign not match'],
    ['wecom', '{"errcode":93000}', '93000'],
    ['wecom', '<html>', 'no code'],
  ] as const)('%s refuses in the body: %s', (kind, answer, refusal) => {
    expect(ROBOTS[kind].refusalIn(answer)).toBe(refusal);
  });
});

describe('what people read [D15.6]', () => {
  const alert = (title: string) => ({
    type: 'alert.raised' as const,
    at: AT,
    data: { level: 'error', title, message: '请处理', campaignName: '春季回访' },
  });

  test('one alert says what, where and when', () => {
    expect(messageOf([alert('交换机 a 不可达')], 'Asia/Shanghai')).toEqual({
      title: '【严重】交换机 a 不可达',
      text: '请处理\n活动：春季回访\n11-29 15:06',
      link: null,
    });
  });

  test('a flood is one message with its count', () => {
    const { title, text } = messageOf(
      Array.from({ length: 47 }, (_, index) => alert(`事件 ${index}`)),
      'Asia/Shanghai',
    );
    expect(title).toBe('47 条通知');
    expect(text.split('\n')).toHaveLength(11);
    expect(text).toContain('……另有 37 条');
  });

  test('nobody reads a whole number', () => {
    const data = { phoneNumber: '13800138000', customerName: '张三', campaignName: '春季回访' };
    const { text } = messageOf([{ type: 'attempt.answered', at: AT, data }], 'Asia/Shanghai');
    expect(text).toContain('尾号 8000');
    expect(text).not.toContain('13800138000');
  });
});
