import { describe, expect, test } from '@jest/globals';
import { isTimeZone } from '#kernel/calendar.ts';
import DATA from '#phone-numbers/number-zones.json' with { type: 'json' };
import { zonesOfNumber } from '#phone-numbers/zones.ts';
import { numberZones } from '#tools/data/number-zones.ts';

describe('time zones of a number [D8.8]', () => {
  test.each([
    ['+8613800138000', 'Asia/Shanghai', 'a mobile of China'],
    ['+861065529988', 'Asia/Shanghai', 'Beijing'],
    ['+85221234567', 'Asia/Hong_Kong', 'Hong Kong'],
    ['+12125550123', 'America/New_York', 'New York'],
    ['+13105550123', 'America/Los_Angeles', 'Los Angeles'],
    ['+18085550123', 'Pacific/Honolulu', 'Hawaii'],
    ['+14165550123', 'America/Toronto', 'Toronto'],
    ['+13065550123', 'America/Regina', 'Saskatchewan, which has no summer time'],
    ['+442071234567', 'Europe/London', 'London'],
    ['+447911123456', 'Europe/London', 'a mobile of the United Kingdom'],
    ['+74951234567', 'Europe/Moscow', 'Moscow'],
    ['+74012234567', 'Europe/Kaliningrad', 'Kaliningrad, corrected'],
    ['+77012345678', 'Asia/Aqtobe', 'a mobile of Kazakhstan, which has had one time since 2024'],
    ['+61293744000', 'Australia/Sydney', 'Sydney'],
    ['+5511961234567', 'America/Sao_Paulo', 'a mobile of São Paulo'],
    ['+5592991234567', 'America/Manaus', 'a mobile of Manaus'],
    ['+62211234567', 'Asia/Jakarta', 'Jakarta'],
    ['+62901123456', 'Asia/Jayapura', 'Papua'],
    ['+528112345678', 'America/Mexico_City', 'Monterrey'],
    ['+526641234567', 'America/Tijuana', 'Tijuana'],
    ['+4930123456', 'Europe/Berlin', 'Berlin'],
  ])('%s is in %s alone (%s)', (dialKey, zone) => {
    expect(zonesOfNumber(dialKey)).toEqual([zone]);
  });

  test('a number without an area may be in every zone of its numbering plan', () => {
    expect(zonesOfNumber('+18005551234')).toEqual(expect.arrayContaining(['America/New_York', 'Pacific/Honolulu', 'Pacific/Guam']));
    expect(zonesOfNumber('+79161234567')).toEqual(expect.arrayContaining(['Europe/Moscow', 'Asia/Vladivostok']));
    expect(zonesOfNumber('+61412345678')).toEqual(expect.arrayContaining(['Australia/Perth', 'Australia/Sydney']));
  });

  test('what is no international number tells no zone', () => {
    for (const key of ['10086', '1001', '+80012345678', '+', '+0123', '']) expect(zonesOfNumber(key)).toEqual([]);
  });

  test('numbers of the same area share one array', () => {
    expect(zonesOfNumber('+12125550123')).toBe(zonesOfNumber('+12125550199'));
  });

  test('every zone of the data is known', () => {
    const zones = new Set(Object.keys(DATA.zones).flatMap(each => each.split(' ')));
    expect([...zones].filter(zone => !isTimeZone(zone))).toEqual([]);
  });
});

test('the maker joins zones with one clock and corrects Kaliningrad', () => {
  const rows = [
    '44|Europe/Guernsey&Europe/London',
    '441|Europe/London',
    '740|Europe/Bucharest',
    '40|Europe/Bucharest',
    '34|Atlantic/Canary&Europe/Madrid',
  ];
  expect(numberZones(rows, '2026-07-02').zones).toEqual({
    'Atlantic/Canary Europe/Madrid': '34',
    'Europe/Bucharest': '40',
    'Europe/Kaliningrad': '740',
    'Europe/London': '44 441',
  });
});
