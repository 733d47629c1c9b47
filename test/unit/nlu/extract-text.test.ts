import { describe, expect, test } from '@jest/globals';
import { extractAtOnce } from '#nlu/local/extract/extract-fields.ts';
import { readKnowledge } from '#nlu/read-knowledge.ts';

const { choices: model } = await readKnowledge();

const CALL = { now: Date.parse('2026-03-11T10:00:00+08:00'), timeZone: 'Asia/Shanghai' };

function read(text: string, label: string, type: string): unknown {
  return extractAtOnce({ text, fields: [{ key: 'value', label, type }] }, { call: CALL, model }).fields.value;
}

describe('phone numbers spoken in groups [issue 4]', () => {
  test.each([
    ['幺三八一二三四五六七八', '13812345678'],
    ['一三八 幺二三四 五六七八', '13812345678'],
    ['139-1234-5678', '13912345678'],
    ['是 1 3 7 0 0 0 0 1 2 3 4', '13700001234'],
    ['一八八 嗯 六六六 六 一二三四', '18866661234'],
    ['138 1234 5679 不对 5678', '13812345678'],
    ['8613812345678', '13812345678'],
    ['一五零四个零一二三四', '15000001234'],
    ['零七五五 八八八八 一二三四', '075588881234'],
    ['double check 13911112222 please', '13911112222'],
    ['前面一八零 中间一二三四 后面五六七八', '18012345678'],
    ['我那个旧号不用了 新的是幺六六二二三三四四五五', '16622334455'],
  ])('"%s" is %s', (text, phone) => {
    expect(read(text, '手机号', 'phone')).toBe(phone);
  });

  test.each(['我没有手机', '幺三八一二', '两个人三点来', ''])('"%s" contains no phone number', text => {
    expect(read(text, '手机号', 'phone')).toBeNull();
  });
});

describe('a text value is the passage as spoken [D13.3]', () => {
  test.each([
    ['我叫刘德华', '姓名', '刘德华'],
    ['我姓赵 赵云', '您的姓名', '赵云'],
    ['我是孙丽今年三十', '姓名', '孙丽'],
    ['我叫欧阳娜娜', '客户姓名', '欧阳娜娜'],
    ['我住在阳光小区三栋二单元', '住址', '阳光小区三栋二单元'],
    ['地址是南京市鼓楼区中山路一百号', '收货地址', '南京市鼓楼区中山路一百号'],
    ['我在武汉上班', '所在城市', '武汉'],
    ['后天上午十点吧', '预约时间', '后天上午十点'],
    ['手机号是幺三八零零零零一二三四', '手机号', '幺三八零零零零一二三四'],
    ['因为离家太远', '原因', '离家太远'],
    ['我是女的', '性别', '女'],
    ['邮箱是 zhang@example.com', '邮箱', 'zhang@example.com'],
    ['颜色要红色的', '颜色', '红色'],
    ['蓝色的吧', '颜色', '蓝色'],
  ])('in "%s", %s is %s', (text, label, value) => {
    expect(read(text, label, 'text')).toBe(value);
  });

  test('an unknown type is handled as text', () => {
    expect(read('我叫刘德华', '姓名', 'whatever')).toBe('刘德华');
  });
});

describe('yes and no', () => {
  test.each([
    ['好的', true],
    ['没问题', true],
    ['是的 我要', true],
    ['不了', false],
    ['没有', false],
    ['我不愿意', false],
    ['yes', true],
    ['no', false],
    ['再说吧', null],
    ['', null],
  ])('"%s" is %s', (text, value) => {
    expect(read(text, '是否同意', 'boolean')).toBe(value);
  });
});

describe('every requested key is in the result [D13.3]', () => {
  test('names of prototype members are ordinary keys', () => {
    const fields = ['__proto__', 'constructor', 'toString'].map(key => ({ key, label: '年龄', type: 'number' }));
    const result = extractAtOnce({ text: '三十岁', fields }, { call: CALL, model });
    expect(JSON.parse(JSON.stringify(result.fields), (key, value: unknown) => (key === '' ? Object.entries(value ?? {}) : value))).toEqual([
      ['__proto__', 30],
      ['constructor', 30],
      ['toString', 30],
    ]);
  });

  test('each field of an utterance is extracted by its own type', () => {
    const fields = [
      { key: 'name', label: '姓名', type: 'text' },
      { key: 'phone', label: '电话', type: 'phone' },
      { key: 'date', label: '日期', type: 'date' },
      { key: 'people', label: '人数', type: 'number' },
    ];
    expect(extractAtOnce({ text: '我叫李梅 电话幺三九零零零零幺幺幺幺 明天上午来两个人', fields }, { call: CALL, model }).fields).toEqual({
      name: '李梅',
      phone: '13900001111',
      date: '2026-03-12',
      people: 2,
    });
  });
});
