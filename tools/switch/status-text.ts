import type { SwitchCore } from './switch-core.ts';

/** A switch paused in one direction still reports itself ready. */
export function isReady(core: SwitchCore): boolean {
  return !(core.paused.inbound && core.paused.outbound);
}

/** Text of `api status`. Source: recording a1-auth-good */
export function statusText(core: SwitchCore): string {
  const up = uptime(core);
  return [
    `UP 0 years, ${up.days} days, ${up.hours} hours, ${up.minutes} minutes, ${up.seconds} seconds, ${up.milliseconds} milliseconds, 0 microseconds`,
    `FreeSWITCH (Version 1.11.2-release  64bit) is ${isReady(core) ? 'ready' : 'not ready'}`,
    `${core.sessionsSinceStart} session(s) since startup`,
    `${core.channels.size} session(s) - peak ${core.channels.size}, last 5min ${core.channels.size} `,
    `${core.sessionsThisSecond} session(s) per Sec out of max ${core.sessionsPerSecond}, peak 0, last 5min 0 `,
    `${core.maxSessions} session(s) max`,
    'min idle cpu 0.00/98.20',
    'Current Stack Size/Max 240K/240K\n',
  ].join('\n');
}

export function statusAsJson(core: SwitchCore): string {
  const count = { total: core.sessionsSinceStart, active: core.channels.size, limit: core.maxSessions };
  const rate = { current: core.sessionsThisSecond, max: core.sessionsPerSecond };
  const systemStatus = isReady(core) ? 'ready' : 'not ready';
  return JSON.stringify({
    command: 'status',
    data: '',
    status: 'success',
    response: { systemStatus, uptime: uptime(core), version: '1.11.2-release  64bit', sessions: { count, rate } },
  });
}

export function uptime(core: SwitchCore) {
  const ms = core.options.clock.now() - core.startedAt;
  const part = (unit: number, of: number) => Math.floor(ms / unit) % of;
  return {
    days: Math.floor(ms / 86_400_000),
    hours: part(3_600_000, 24),
    minutes: part(60_000, 60),
    seconds: part(1_000, 60),
    milliseconds: part(1, 1_000),
  };
}
