import { setup } from 'xstate';
import type { CampaignEffects } from './effects.ts';
import type { CampaignEvent } from './events.ts';

const declared =
  <Name extends keyof CampaignEffects>(_name: Name) =>
  (_scope: unknown, _params: CampaignEffects[Name]) =>
    undefined;

const base = setup({
  types: { events: {} as CampaignEvent },
  actions: {
    forgetScriptless: declared('forgetScriptless'),
    wakeDispatch: declared('wakeDispatch'),
    cancelClaims: declared('cancelClaims'),
    recordEvent: declared('recordEvent'),
  },
  guards: {
    hasWork: ({ event }) => event.type === 'startRequested' && event.hasWork,
    isQuiet: ({ event }) => event.type === 'archiveRequested' && event.activeCalls === 0,
  },
});

const start = base.createStateConfig({
  on: {
    startRequested: {
      guard: 'hasWork',
      target: 'running',
      actions: [
        { type: 'recordEvent', params: ({ event }) => ({ type: 'campaign.started', by: event.by }) },
        { type: 'forgetScriptless', params: undefined },
        { type: 'wakeDispatch', params: undefined },
      ],
    },
    archiveRequested: { guard: 'isQuiet', target: 'archived' },
  },
}).on;

/**
 * Status of a campaign. A refused event leaves the snapshot as it was; the operation says why (rules/campaign-status.ts).
 *
 * Source: OCS §3 "Campaign status", D5.2
 */
export const campaignMachine = base.createMachine({
  id: 'campaign',
  initial: 'draft',
  states: {
    draft: { on: start },
    running: {
      on: {
        pauseRequested: {
          target: 'paused',
          actions: [
            { type: 'cancelClaims', params: undefined },
            { type: 'recordEvent', params: ({ event }) => ({ type: 'campaign.paused', by: event.by }) },
          ],
        },
        campaignDrained: {
          target: 'completed',
          actions: { type: 'recordEvent', params: { type: 'campaign.completed', by: null } },
        },
        // Starting again is harmless and lets the dispatcher look at once.
        startRequested: {
          guard: 'hasWork',
          actions: [
            { type: 'forgetScriptless', params: undefined },
            { type: 'wakeDispatch', params: undefined },
          ],
        },
      },
    },
    paused: { on: start },
    completed: { on: start },
    archived: {},
  },
});
