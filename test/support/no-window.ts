import type { CallingWindow } from '#policies/decisions/calling-window.ts';

export const NO_WINDOW: CallingWindow = { workdayStart: null, workdayEnd: null, scheduledStartAt: null, scheduledEndAt: null };
