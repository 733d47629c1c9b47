import type { HealthReport } from './check-health.ts';

/** Dependencies of the server, in the order in which pages show them. */
export const HEALTH_PARTS = ['switch', 'bus', 'cache', 'database', 'runtime', 'nlu'] as const;
/** `red`: dialling stops, or nothing is known; `amber`: it goes on with less capacity. */
export const HEALTH_LEVELS = ['green', 'amber', 'red'] as const;
export const HEALTH_STATES = [
  'works',
  'database_away',
  'cache_away',
  'bus_away',
  'switch_none',
  'switch_away',
  'switch_partly',
  'runtime_none',
  'runtime_unknown',
  'nlu_away',
] as const;
type HealthState = (typeof HEALTH_STATES)[number];

/** Health of one dependency and its consequence for calls. */
export interface PartHealth {
  part: (typeof HEALTH_PARTS)[number];
  level: (typeof HEALTH_LEVELS)[number];
  /** Key of the text. */
  state: HealthState;
  /** Consequence and next step in Chinese; null while the part works. */
  message: string | null;
  /** Number of working cells or runtimes, and their total; null for a single dependency. */
  working: number | null;
  total: number | null;
}

/** Consequence of each state, which is what users want to know first. Source: D14.1 */
const CONSEQUENCES: Record<Exclude<HealthState, 'works'>, { level: 'amber' | 'red'; message: string }> = {
  database_away: { level: 'red', message: '数据库没有响应：恢复前不会拨出，页面也读不到数据；进行中的通话不受影响，结果稍后补记' },
  cache_away: { level: 'red', message: 'Redis 没有响应：恢复前不会拨出，也不能登录、监听和接管' },
  bus_away: { level: 'red', message: 'NATS 没有响应：恢复前不会拨出，实时字幕会迟到；恢复后自动继续' },
  switch_none: { level: 'red', message: '没有启用的交换机节点：不会拨出。请在配置中启用一个' },
  switch_away: { level: 'red', message: '所有交换机节点都连不上：恢复前不会拨出' },
  switch_partly: { level: 'amber', message: '部分交换机节点连不上：由其余节点外呼，并发上限随之降低' },
  runtime_none: { level: 'red', message: '没有在线的话术运行时：客户接听后无人应答，因此不拨出；启动运行时后自动继续' },
  runtime_unknown: { level: 'amber', message: 'Redis 没有响应，暂时不知道话术运行时的情况' },
  nlu_away: { level: 'amber', message: 'NLU 服务没有响应：外呼照常，话术里的意图判断改用关键词' },
};

/** Assesses every dependency from a health report. */
export function judgeHealth({ database, cache, bus, switch: cells, runtimes }: HealthReport, isNluThere: boolean): PartHealth[] {
  const up = cells.filter(({ ok }) => ok).length;
  return [
    { part: 'switch', ...as(switchState(up, cells.length)), working: up, total: cells.length },
    { part: 'bus', ...as(bus.ok ? 'works' : 'bus_away'), ...ONE },
    { part: 'cache', ...as(cache.ok ? 'works' : 'cache_away'), ...ONE },
    { part: 'database', ...as(database.ok ? 'works' : 'database_away'), ...ONE },
    { part: 'runtime', ...as(runtimeState(runtimes.ok, cache.ok)), ...ONE },
    { part: 'nlu', ...as(isNluThere ? 'works' : 'nlu_away'), ...ONE },
  ];
}

const ONE = { working: null, total: null };

function as(state: HealthState): Pick<PartHealth, 'level' | 'state' | 'message'> {
  return state === 'works' ? { level: 'green', state, message: null } : { state, ...CONSEQUENCES[state] };
}

function switchState(up: number, total: number): HealthState {
  if (total === 0) return 'switch_none';
  if (up === 0) return 'switch_away';
  return up < total ? 'switch_partly' : 'works';
}

/** Runtimes are registered in the cache only. */
function runtimeState(isTaking: boolean, isCacheThere: boolean): HealthState {
  if (isTaking) return 'works';
  return isCacheThere ? 'runtime_none' : 'runtime_unknown';
}
