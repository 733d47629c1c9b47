import { assign, cancel, enqueueActions, raise, setup } from 'xstate';
import type { ErrorCode, Reason } from '#kernel/errors.ts';
import { afterEnds, beginProbe, type Breaker, CLOSED_BREAKER, newSilentLines } from '#campaigns/decisions/breaker.ts';
import { CAMPAIGN_PHASES, type CampaignStatus, NO_SCRIPT_TEXT } from '#campaigns/decisions/campaign-states.ts';
import type { CampaignFields } from '#campaigns/campaign.ts';
import { declaredEffects, machineTypes } from '../declared-effects.ts';
import type { CampaignContext, Written } from './context.ts';
import type { CampaignAlert, CampaignEffects } from './effects.ts';
import type { CampaignCommand, CampaignEvent, TurnFindings } from './events.ts';
import {
  BREAKER_WITHDRAWS,
  breakerReason,
  CLAIMING_PHASES,
  isOver,
  type Obstacle,
  OBSTACLES,
  openingAlert,
  type Sight,
  sightOf,
} from './obstacles.ts';

/** Reason for refusing a user's command; `message` is Chinese. */
export interface Refusal {
  code: Extract<ErrorCode, 'NOTHING_TO_CALL' | 'CAMPAIGN_ARCHIVED' | 'CONFLICT'>;
  reason?: Reason;
  message: string;
}

interface Condition {
  holds: (event: CampaignEvent) => boolean;
  refusal: Refusal;
}

/** Conditions of a command by guard, each with the refusal when it does not hold. Source: OCS §3 "Campaign status", D5.2, D5.6 */
const CONDITIONS = {
  mayStart: [
    {
      holds: event => event.type === 'startRequested' && event.hasWork,
      refusal: { code: 'NOTHING_TO_CALL', message: '活动没有可呼叫的联系人，不能启动' },
    },
    {
      holds: event => event.type === 'startRequested' && event.hasFlow,
      refusal: { code: 'CONFLICT', reason: 'NO_SCRIPT', message: NO_SCRIPT_TEXT },
    },
  ],
  isQuiet: [
    {
      holds: event => event.type === 'archiveRequested' && event.activeCalls === 0,
      refusal: { code: 'CONFLICT', reason: 'CALLS_LEFT', message: '活动还有进行中的通话，不能归档' },
    },
  ],
} as const satisfies Record<string, readonly Condition[]>;

/** The refusal of the first condition that fails; null when all hold. */
function unmet(conditions: readonly Condition[], event: CampaignEvent): Refusal | null {
  return conditions.find(({ holds }) => !holds(event))?.refusal ?? null;
}

const base = setup({
  types: machineTypes<CampaignContext, CampaignEvent, CampaignFields>(),
  actions: {
    ...declaredEffects<CampaignEffects>()('forgetScriptless', 'wakeDispatch', 'cancelClaims', 'recordEvent', 'raiseAlert'),
    obey: assign(({ context, event }) => ordered(context, event)),
    show: assign(({ context, event }) => shownBy(context, event) ?? {}),
    complete: assign({ written: ['status'] }),
    forgetPhase: assign({ reason: null, cause: null, refusal: null, wakeAt: null }),
    awaken: assign({ wakeAt: null }),
    sleep: raise({ type: 'wakeUp' }, { id: 'wakeUp', delay: 'untilWake' }),
    stayAwake: raise({ type: 'wakeUp' }, { id: 'wakeUp', delay: 'atOnce' }),
    sleepForGood: cancel('wakeUp'),
    judgeBreaker: enqueueActions(({ context, event, enqueue }) => {
      const breaker = breakerAfter(context.breaker, event);
      enqueue.assign({ breaker });
      const lineIds = event.type === 'dialsEnded' ? newSilentLines(context.breaker, event.ends) : [];
      if (lineIds.length > 0 && 'at' in event) enqueue({ type: 'raiseAlert', params: { kind: 'silentLines', lineIds, at: event.at } });
      if (breaker.kind === context.breaker.kind || !('at' in event)) return;
      if (breaker.kind === 'open') enqueue.raise({ type: 'breakerOpened', at: event.at });
      if (breaker.kind === 'closed') enqueue.raise({ type: 'breakerClosed' });
    }),
  },
  delays: { untilWake: ({ context, event }) => sleepMsOf(context, event), atOnce: 0 },
  guards: {
    mayStart: ({ event }) => unmet(CONDITIONS.mayStart, event) === null,
    isQuiet: ({ event }) => unmet(CONDITIONS.isQuiet, event) === null,
    isDrained: ({ event }) => event.type === 'turnTaken' && !event.found.hasWork,
    isOver: ({ event }) => event.type === 'turnTaken' && isOver(event.found) && event.found.activeCalls === 0,
    isNewOpening: ({ context }) => openingAlert(context) !== null,
    isAsleep: ({ context, event }) => event.type === 'callSettled' && context.wakeAt !== null && context.wakeAt > event.at,
  },
});

const editable = base.createStateConfig({ on: { editRequested: { actions: 'obey' } } }).on;

const startable = base.createStateConfig({
  on: {
    ...editable,
    startRequested: {
      guard: 'mayStart',
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

/** Besides turns, a phase handles two events: a free slot ends a wait for one, and an opening breaker stops claims. */
function phaseState(phase: (typeof CAMPAIGN_PHASES)[number]) {
  const onSettled = base.createStateConfig({
    on: { callSettled: { guard: 'isAsleep', actions: ['awaken', 'stayAwake', { type: 'wakeDispatch', params: undefined }] } },
  }).on;
  const onOpened = base.createStateConfig({
    on: {
      breakerOpened: [
        {
          guard: 'isNewOpening',
          target: 'SWITCH_UNREACHABLE',
          actions: [
            { type: 'raiseAlert', params: ({ context }) => openingAlert(context) as CampaignAlert },
            { type: 'cancelClaims', params: { reason: BREAKER_WITHDRAWS } },
            'show',
            'sleep',
          ],
        },
        { target: 'SWITCH_UNREACHABLE', actions: ['show', 'sleep'] },
      ],
    },
  }).on;
  const awaitsCalls = phase === 'WAITING_SLOT' || phase === 'DRAINING';
  return { on: { ...(awaitsCalls ? onSettled : {}), ...(CLAIMING_PHASES.has(phase) ? onOpened : {}) } };
}

/** Transition to the phase of an obstacle; the first turn that meets it raises its alert. */
function meeting(obstacle: Obstacle) {
  const meets = ({ context, event }: { context: CampaignContext; event: CampaignEvent }) =>
    event.type === 'turnTaken' && obstacle.meets(event.found, context);
  const again = {
    guard: meets,
    target: `.${obstacle.phase}`,
    actions: ['show', 'sleep'] as const,
  };
  if (obstacle.alert === undefined) return [again];
  // A reason that is shown already has had its alert.
  const alertOf = (found: TurnFindings, context: CampaignContext) =>
    obstacle.reason(found, context) === context.reason ? null : (obstacle.alert?.(found, context) ?? null);
  const withdrawal = obstacle.withdraws === undefined ? [] : [{ type: 'cancelClaims' as const, params: { reason: obstacle.withdraws } }];
  const first = {
    guard: ({ context, event }: { context: CampaignContext; event: CampaignEvent }) =>
      event.type === 'turnTaken' && meets({ context, event }) && alertOf(event.found, context) !== null,
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

const BREAKER_STATES = ['closed', 'open', 'probing'] as const;

/** Transition to the breaker's next state; without a change there is no transition and no commit. */
function judging(kind: (typeof BREAKER_STATES)[number]) {
  const isNext = ({ context: { breaker }, event }: { context: CampaignContext; event: CampaignEvent }) => {
    const next = breakerAfter(breaker, event);
    return next !== breaker && next.kind === kind;
  };
  return { guard: isNext, target: `.${kind}`, actions: 'judgeBreaker' } as const;
}

/**
 * Status, phase and breaker of a campaign. A refused event leaves the snapshot unchanged; `refusalOf` gives the reason.
 *
 * Source: OCS §3 "Campaign status", D5.1, D5.2
 */
export const campaignMachine = base.createMachine({
  id: 'campaign',
  type: 'parallel',
  context: ({ input }) => ({ fields: input, reason: null, cause: null, refusal: null, wakeAt: null, breaker: CLOSED_BREAKER, written: [] }),
  states: {
    status: {
      initial: 'draft',
      states: {
        draft: { on: startable },
        running: {
          // Until the first turn finds an obstacle.
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
            // A repeated start is harmless and triggers a turn at once.
            startRequested: {
              guard: 'mayStart',
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
              {
                guard: 'isOver',
                target: 'completed',
                actions: [
                  'complete',
                  {
                    type: 'recordEvent',
                    params: ({ event }) => ({ type: 'campaign.completed', by: null, left: event.found.left }),
                  },
                ],
              },
              ...OBSTACLES.flatMap(meeting),
            ],
            breakerClosed: { actions: ['awaken', 'stayAwake', { type: 'wakeDispatch', params: undefined }] },
          },
        },
        paused: { on: startable },
        completed: { on: startable },
        archived: {},
      },
    },
    breaker: {
      initial: 'closed',
      on: { dialsEnded: BREAKER_STATES.map(judging), turnTaken: judging('probing') },
      states: { closed: {}, open: {}, probing: {} },
    },
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
 * Reason why the machine refuses a user's command in this status; null when it accepts. `command` null: no command leads to `to`.
 *
 * Errors: CAMPAIGN_ARCHIVED in `archived`; CONFLICT for an impossible move or archiving with live calls;
 *         NOTHING_TO_CALL for a start with nothing pending, retryable or active, CONFLICT for a start without a call flow
 * Source: OCS §3 "Campaign status", D5.2, D5.6
 */
export function refusalOf(from: CampaignStatus, to: CampaignStatus, command: CampaignCommand | null): Refusal | null {
  if (from === 'archived') return { code: 'CAMPAIGN_ARCHIVED', message: '活动已归档，不能再修改' };
  const move = command && campaignMachine.states['status']?.states[from]?.transitions.get(command.type)?.[0];
  if (!command || !move) {
    return { code: 'CONFLICT', reason: 'STATUS_FORBIDS', message: `活动当前为${STATUS_TEXTS[from]}，不能改为${STATUS_TEXTS[to]}` };
  }
  const conditions = Object.entries(CONDITIONS).find(([name]) => name === move.guard)?.[1];
  return unmet(conditions ?? [], command);
}

function ordered({ written }: CampaignContext, event: CampaignEvent): Partial<CampaignContext> {
  if (!('by' in event)) return {};
  const moved: Written[] = event.type === 'editRequested' ? [] : ['status'];
  const { edit } = event;
  return edit ? { fields: edit.fields, written: [...written, ...moved, ...edit.given] } : { written: [...written, ...moved] };
}

function breakerAfter(breaker: Breaker, event: CampaignEvent): Breaker {
  if (event.type === 'dialsEnded') return afterEnds(breaker, event.ends, event.at, event.settings);
  return event.type === 'turnTaken' && event.found.probe ? beginProbe(breaker, event.found.probe) : breaker;
}

/** Reason, refusal and next wake-up of a running campaign after the event. */
function shownBy(context: CampaignContext, event: CampaignEvent): Omit<Sight, 'phase'> | null {
  const { breaker } = context;
  if (event.type === 'breakerOpened' && breaker.kind !== 'closed') {
    return { reason: breakerReason(breaker), cause: 'calls_fail', refusal: 'switch_unreachable', wakeAt: breaker.until };
  }
  if (event.type !== 'turnTaken') return null;
  const { phase: _phase, ...shown } = sightOf(event.found, context);
  return shown;
}

function sleepMsOf(context: CampaignContext, event: CampaignEvent): number {
  const at = event.type === 'turnTaken' ? event.found.at : 'at' in event ? event.at : 0;
  return Math.max(0, (shownBy(context, event)?.wakeAt ?? at) - at);
}
