import { assign, cancel, raise, setup } from 'xstate';
import type { ErrorCode, Reason } from '#kernel/errors.ts';
import type { CampaignStatus } from '#rules/campaign-bounds.ts';
import { CAMPAIGN_PHASES } from '#rules/campaign-bounds.ts';
import type { CampaignFields } from '#model/campaign.ts';
import { declaredEffects } from '../declared-effects.ts';
import type { CampaignContext, Written } from './context.ts';
import type { CampaignAlert, CampaignEffects } from './effects.ts';
import type { CampaignCommand, CampaignEvent, TurnFindings } from './events.ts';
import {
  blockedReason,
  BREAKER_WITHDRAWS,
  CLAIMING_PHASES,
  type Obstacle,
  obstacleOf,
  OBSTACLES,
  openingAlert,
  wakeAtOf,
} from './obstacles.ts';

/** Why a person's command is refused; `message` Chinese. */
export interface Refusal {
  code: Extract<ErrorCode, 'NOTHING_TO_CALL' | 'CAMPAIGN_ARCHIVED' | 'CONFLICT'>;
  reason?: Reason;
  message: string;
}

/** What a command must find, and why it is refused otherwise. Source: OCS §3 "Campaign status", D5.2 */
const CONDITIONS = {
  hasWork: {
    holds: (event: CampaignEvent) => event.type === 'startRequested' && event.hasWork,
    refusal: { code: 'NOTHING_TO_CALL', message: '活动没有可呼叫的联系人，不能启动' },
  },
  isQuiet: {
    holds: (event: CampaignEvent) => event.type === 'archiveRequested' && event.activeCalls === 0,
    refusal: { code: 'CONFLICT', reason: 'CALLS_LEFT', message: '活动还有进行中的通话，不能归档' },
  },
} as const satisfies Record<string, { holds(event: CampaignEvent): boolean; refusal: Refusal }>;

const base = setup({
  types: { context: {} as CampaignContext, events: {} as CampaignEvent, input: {} as CampaignFields },
  actions: {
    ...declaredEffects<CampaignEffects>()('forgetScriptless', 'wakeDispatch', 'cancelClaims', 'recordEvent', 'raiseAlert'),
    obey: assign(({ context, event }) => ordered(context, event)),
    show: assign(({ event }) => shownBy(event)),
    complete: assign({ written: ['status'] }),
    forgetPhase: assign({ reason: null, wakeAt: null }),
    awaken: assign({ wakeAt: null }),
    sleep: raise({ type: 'wakeUp' }, { id: 'wakeUp', delay: 'untilWake' }),
    stayAwake: raise({ type: 'wakeUp' }, { id: 'wakeUp', delay: 'atOnce' }),
    sleepForGood: cancel('wakeUp'),
  },
  delays: { untilWake: ({ event }) => sleepMsOf(event), atOnce: 0 },
  guards: {
    hasWork: ({ event }) => CONDITIONS.hasWork.holds(event),
    isQuiet: ({ event }) => CONDITIONS.isQuiet.holds(event),
    isDrained: ({ event }) => event.type === 'turnTaken' && !event.found.hasWork,
    isNewOpening: ({ context, event }) => event.type === 'breakerOpened' && openingAlert(event.opening, context) !== null,
    isAsleep: ({ context, event }) => event.type === 'callSettled' && context.wakeAt !== null && context.wakeAt > event.at,
  },
});

const editable = base.createStateConfig({ on: { editRequested: { actions: 'obey' } } }).on;

const startable = base.createStateConfig({
  on: {
    ...editable,
    startRequested: {
      guard: 'hasWork',
      target: 'running',
      actions: [
        'obey',
        { type: 'recordEvent', params: ({ event }) => ({ type: 'campaign.started', by: event.by }) },
        { type: 'forgetScriptless', params: undefined },
        { type: 'wakeDispatch', params: undefined },
      ],
    },
    archiveRequested: { guard: 'isQuiet', target: 'archived', actions: 'obey' },
  },
}).on;

/** A phase hears more than its turns: a free slot ends a wait for one, an opening breaker stops whoever claims. */
function phaseState(phase: (typeof CAMPAIGN_PHASES)[number]) {
  const onSettled = base.createStateConfig({
    on: { callSettled: { guard: 'isAsleep', actions: ['awaken', 'stayAwake', { type: 'wakeDispatch', params: undefined }] } },
  }).on;
  const onOpened = base.createStateConfig({
    on: {
      breakerOpened: {
        guard: 'isNewOpening',
        target: 'SWITCH_UNREACHABLE',
        actions: [
          {
            type: 'raiseAlert',
            params: ({ event }) => ({ kind: 'breaker', openedAt: event.opening.openedAt, report: event.opening.report }),
          },
          { type: 'cancelClaims', params: { reason: BREAKER_WITHDRAWS } },
          'show',
          'sleep',
        ],
      },
    },
  }).on;
  const awaitsCalls = phase === 'WAITING_SLOT' || phase === 'DRAINING';
  return { on: { ...(awaitsCalls ? onSettled : {}), ...(CLAIMING_PHASES.has(phase) ? onOpened : {}) } };
}

/** The phase that a turn's obstacle means; the first turn that meets it raises its alert. */
function meeting(obstacle: Obstacle) {
  const meets = (event: CampaignEvent) => event.type === 'turnTaken' && obstacle.meets(event.found);
  const again = {
    guard: ({ event }: { event: CampaignEvent }) => meets(event),
    target: `.${obstacle.phase}`,
    actions: ['show', 'sleep'] as const,
  };
  if (obstacle.alert === undefined) return [again];
  const alertOf = (found: TurnFindings, context: CampaignContext) => obstacle.alert?.(found, context) ?? null;
  const withdrawal = obstacle.withdraws === undefined ? [] : [{ type: 'cancelClaims' as const, params: { reason: obstacle.withdraws } }];
  const first = {
    guard: ({ context, event }: { context: CampaignContext; event: CampaignEvent }) =>
      event.type === 'turnTaken' && obstacle.meets(event.found) && alertOf(event.found, context) !== null,
    target: again.target,
    actions: [
      {
        type: 'raiseAlert' as const,
        params: ({ context, event }: { context: CampaignContext; event: { found: TurnFindings } }) =>
          alertOf(event.found, context) as CampaignAlert,
      },
      ...withdrawal,
      ...again.actions,
    ] as const,
  };
  return [first, again];
}

/**
 * Status and phase of a campaign. A refused event leaves the snapshot as it was; `refusalOf` says why.
 *
 * Source: OCS §3 "Campaign status", D5.1, D5.2
 */
export const campaignMachine = base.createMachine({
  id: 'campaign',
  context: ({ input }) => ({ fields: input, reason: null, wakeAt: null, written: [] }),
  initial: 'draft',
  states: {
    draft: { on: startable },
    running: {
      // Until its first turn finds what stands in its way.
      initial: 'DISPATCHING',
      states: Object.fromEntries(CAMPAIGN_PHASES.map(phase => [phase, phaseState(phase)])),
      entry: 'stayAwake',
      exit: ['forgetPhase', 'sleepForGood'],
      on: {
        ...editable,
        pauseRequested: {
          target: 'paused',
          actions: [
            'obey',
            { type: 'cancelClaims', params: { reason: '活动已暂停' } },
            { type: 'recordEvent', params: ({ event }) => ({ type: 'campaign.paused', by: event.by }) },
          ],
        },
        // Starting again is harmless and lets the dispatcher look at once.
        startRequested: {
          guard: 'hasWork',
          actions: [
            'obey',
            'awaken',
            'stayAwake',
            { type: 'forgetScriptless', params: undefined },
            { type: 'wakeDispatch', params: undefined },
          ],
        },
        turnTaken: [
          {
            guard: 'isDrained',
            target: 'completed',
            actions: ['complete', { type: 'recordEvent', params: { type: 'campaign.completed', by: null } }],
          },
          ...OBSTACLES.flatMap(meeting),
        ],
        breakerClosed: { actions: { type: 'wakeDispatch', params: undefined } },
      },
    },
    paused: { on: startable },
    completed: { on: startable },
    archived: {},
  },
});

const STATUS_TEXTS: Readonly<Record<CampaignStatus, string>> = {
  draft: '草稿',
  running: '运行中',
  paused: '已暂停',
  completed: '已完成',
  archived: '已归档',
};

/**
 * Why the machine does not take a person's command in this status; null when it does. `command` null: no command leads to `to`.
 *
 * Errors: CAMPAIGN_ARCHIVED from `archived`; CONFLICT for a move that does not exist or an archiving with live calls;
 *         NOTHING_TO_CALL for a start with nothing pending, retryable or active
 * Source: OCS §3 "Campaign status", D5.2
 */
export function refusalOf(from: CampaignStatus, to: CampaignStatus, command: CampaignCommand | null): Refusal | null {
  if (from === 'archived') return { code: 'CAMPAIGN_ARCHIVED', message: '活动已归档，不能再修改' };
  const move = command && campaignMachine.states[from]?.transitions.get(command.type)?.[0];
  if (!command || !move) {
    return { code: 'CONFLICT', reason: 'STATUS_FORBIDS', message: `活动当前为${STATUS_TEXTS[from]}，不能改为${STATUS_TEXTS[to]}` };
  }
  const condition = Object.entries(CONDITIONS).find(([name]) => name === move.guard)?.[1];
  return condition === undefined || condition.holds(command) ? null : condition.refusal;
}

function ordered({ written }: CampaignContext, event: CampaignEvent): Partial<CampaignContext> {
  if (!('by' in event)) return {};
  const moved: Written[] = event.type === 'editRequested' ? [] : ['status'];
  const { edit } = event;
  return edit ? { fields: edit.fields, written: [...written, ...moved, ...edit.given] } : { written: [...written, ...moved] };
}

/** What a running campaign shows after the event, and from when on. */
function sightOf(event: CampaignEvent): { reason: string; wakeAt: number; at: number } | null {
  if (event.type === 'breakerOpened') return { reason: blockedReason(event.opening.report), wakeAt: event.opening.until, at: event.at };
  if (event.type !== 'turnTaken') return null;
  const obstacle = obstacleOf(event.found);
  return { reason: obstacle.reason(event.found), wakeAt: wakeAtOf(obstacle, event.found), at: event.found.at };
}

function shownBy(event: CampaignEvent): Partial<CampaignContext> {
  const sight = sightOf(event);
  return sight ? { reason: sight.reason, wakeAt: sight.wakeAt } : {};
}

function sleepMsOf(event: CampaignEvent): number {
  const sight = sightOf(event);
  return sight ? Math.max(0, sight.wakeAt - sight.at) : 0;
}
