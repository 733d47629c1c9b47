import { expect, test } from '@jest/globals';
import { placeInChina } from '#phone-numbers/china-places.ts';
import { chinaPlaces } from '#tools/data/china-places.ts';

test.each([
  ['+8613800010000', '北京市', '北京市'],
  ['+8613800041234', '辽宁省', '沈阳市'],
  ['+8613800281234', '四川省', '成都市'],
  ['+861065529988', '北京市', '北京市'],
  ['+862166881234', '上海市', '上海市'],
  ['+8675566881234', '广东省', '深圳市'],
  ['+8699166881234', '新疆', '乌鲁木齐市'],
  ['+8647166881234', '内蒙古', '呼和浩特市'],
])('%s was issued in %s %s', (dialKey, province, city) => {
  expect(placeInChina(dialKey)).toEqual({ province, city });
});

test('numbers elsewhere, hotlines and unknown prefixes have no place', () => {
  for (const dialKey of ['+12125550123', '+864008123456', '10086', '+8619912345', '']) expect(placeInChina(dialKey)).toBeNull();
});

test('the maker lets a longer prefix decide, and joins equal neighbours', () => {
  const { places, areas, mobiles } = chinaPlaces(['8610|北京市', '861300|山东省青岛市', '8613000|山东省济南市'], '2026-07-16');
  expect(places).toEqual([
    { province: '北京市', city: '北京市' },
    { province: '山东省', city: '济南市' },
    { province: '山东省', city: '青岛市' },
  ]);
  expect(areas).toEqual({ '10': 0 });
  expect(mobiles).toEqual([100, 1, 900, 2, 699_000, -1]);
});
