import { expect, test } from '@jest/globals';
import { GUIDANCE_KINDS } from '#actors/call/guidance.ts';
import { controlKeyOf } from '../../../console/pages/runtime-events/named-of-events.ts';
import en from '../../../console/text/en.json' with { type: 'json' };
import zh from '../../../console/text/zh.json' with { type: 'json' };

const CONTROLS = ['hold', 'resume', 'mute', 'unmute', 'keypad'];

test('each act of an agent on the line has words of its own, in both languages', () => {
  expect(GUIDANCE_KINDS).toEqual(expect.arrayContaining(CONTROLS));
  for (const { controlTold } of [en, zh]) {
    expect(Object.keys(controlTold)).toEqual(CONTROLS);
    expect(new Set(Object.values(controlTold)).size).toBe(CONTROLS.length);
  }
  expect(controlKeyOf('call.controlled', { kind: 'mute', by: '李雷' })).toBe('controlTold.mute');
  expect(controlKeyOf('call.controlled', { by: '李雷' })).toBeNull();
  expect(controlKeyOf('call.hinted', { kind: 'hint' })).toBeNull();
});
