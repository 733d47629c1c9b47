/** The menu shows `menu.<group>` of the texts. */
export type MenuGroup = 'live' | 'rules' | 'people' | 'lines' | 'records';

/** A page of the console with its path, its permission and its place in the menu. Its title is `pages.<key>` of the texts. */
export interface PageEntry {
  key: string;
  path: string;
  /** Required permission; null: any signed-in user. */
  needs: string | null;
  inMenu: boolean;
  /** Pages of one group share an entry of the menu, which expands when one of them is open. */
  group?: MenuGroup;
  load: () => Promise<{ Page: React.ComponentType }>;
}

export const PAGES: readonly PageEntry[] = [
  {
    key: 'home',
    path: '/',
    needs: null,
    inMenu: false,
    load: async () => ({ Page: (await import('./pages/desk/home-page.tsx')).HomePage }),
  },
  {
    key: 'desk',
    path: '/desk',
    needs: 'agent:operate',
    inMenu: true,
    load: async () => ({ Page: (await import('./pages/desk/desk-page.tsx')).DeskPage }),
  },
  {
    key: 'wall',
    path: '/wall',
    needs: null,
    inMenu: true,
    load: async () => ({ Page: (await import('./pages/wall/wall-page.tsx')).WallPage }),
  },
  {
    key: 'live',
    path: '/live',
    needs: 'agent:operate',
    inMenu: true,
    group: 'live',
    load: async () => ({ Page: (await import('./pages/live/live-page.tsx')).LivePage }),
  },
  {
    key: 'agentBoard',
    path: '/agents/board',
    needs: 'agent:operate',
    inMenu: true,
    group: 'live',
    load: async () => ({ Page: (await import('./pages/agents/agent-board-page.tsx')).AgentBoardPage }),
  },
  {
    key: 'agentCalls',
    path: '/agents/calls',
    needs: 'agent:operate',
    inMenu: true,
    group: 'live',
    load: async () => ({ Page: (await import('./pages/agent-calls/agent-calls-page.tsx')).AgentCallsPage }),
  },
  {
    key: 'agentDay',
    path: '/agents/:id/day',
    needs: 'agent:operate',
    inMenu: false,
    load: async () => ({ Page: (await import('./pages/agents/agent-day-page.tsx')).AgentDayPage }),
  },
  {
    key: 'conferences',
    path: '/conferences',
    needs: 'campaign:dispatch',
    inMenu: true,
    group: 'live',
    load: async () => ({ Page: (await import('./pages/conferences/conferences-page.tsx')).ConferencesPage }),
  },
  {
    key: 'trends',
    path: '/trends',
    needs: null,
    inMenu: true,
    load: async () => ({ Page: (await import('./pages/overview/trends-page.tsx')).TrendsPage }),
  },
  {
    key: 'reports',
    path: '/reports',
    needs: null,
    inMenu: true,
    load: async () => ({ Page: (await import('./pages/reports/reports-page.tsx')).ReportsPage }),
  },
  {
    key: 'schedules',
    path: '/reports/schedules',
    needs: 'campaign:dispatch',
    inMenu: false,
    load: async () => ({ Page: (await import('./pages/schedules/schedules-page.tsx')).SchedulesPage }),
  },
  {
    key: 'campaigns',
    path: '/campaigns',
    needs: null,
    inMenu: true,
    load: async () => ({ Page: (await import('./pages/campaigns/campaigns-page.tsx')).CampaignsPage }),
  },
  {
    key: 'campaign',
    path: '/campaigns/:id',
    needs: null,
    inMenu: false,
    load: async () => ({ Page: (await import('./pages/campaigns/campaign-page.tsx')).CampaignPage }),
  },
  {
    key: 'newCampaign',
    path: '/campaigns/new',
    needs: 'campaign:write',
    inMenu: false,
    load: async () => ({ Page: (await import('./pages/campaigns/campaign-form-page.tsx')).CampaignFormPage }),
  },
  {
    key: 'editCampaign',
    path: '/campaigns/:id/edit',
    needs: 'campaign:write',
    inMenu: false,
    load: async () => ({ Page: (await import('./pages/campaigns/campaign-form-page.tsx')).CampaignFormPage }),
  },
  {
    key: 'import',
    path: '/campaigns/:id/import',
    needs: 'import:write',
    inMenu: false,
    load: async () => ({ Page: (await import('./pages/imports/import-page.tsx')).ImportPage }),
  },
  {
    key: 'importList',
    path: '/campaigns/:campaignId/import-list',
    needs: 'import:write',
    inMenu: false,
    load: async () => ({ Page: (await import('./pages/lists/list-import-page.tsx')).ListImportPage }),
  },
  {
    key: 'listImport',
    path: '/lists/:listId/import',
    needs: 'import:write',
    inMenu: false,
    load: async () => ({ Page: (await import('./pages/lists/list-import-page.tsx')).ListImportPage }),
  },
  {
    key: 'contacts',
    path: '/contacts',
    needs: null,
    inMenu: true,
    load: async () => ({ Page: (await import('./pages/contacts/contacts-page.tsx')).ContactsPage }),
  },
  {
    key: 'lists',
    path: '/lists',
    needs: null,
    inMenu: true,
    load: async () => ({ Page: (await import('./pages/lists/lists-page.tsx')).ListsPage }),
  },
  {
    key: 'callbacks',
    path: '/callbacks',
    needs: null,
    inMenu: true,
    load: async () => ({ Page: (await import('./pages/callbacks/callbacks-page.tsx')).CallbacksPage }),
  },
  {
    key: 'calls',
    path: '/calls',
    needs: null,
    inMenu: true,
    load: async () => ({ Page: (await import('./pages/calls/calls-page.tsx')).CallsPage }),
  },
  {
    key: 'transcripts',
    path: '/transcripts',
    needs: null,
    inMenu: true,
    load: async () => ({ Page: (await import('./pages/transcripts/transcripts-page.tsx')).TranscriptsPage }),
  },
  {
    key: 'followUps',
    path: '/follow-ups',
    needs: null,
    inMenu: true,
    load: async () => ({ Page: (await import('./pages/follow-ups/follow-ups-page.tsx')).FollowUpsPage }),
  },
  {
    key: 'call',
    path: '/calls/:id',
    needs: null,
    inMenu: false,
    load: async () => ({ Page: (await import('./pages/calls/call-page.tsx')).CallPage }),
  },
  {
    key: 'person',
    path: '/people/:number',
    needs: null,
    inMenu: false,
    load: async () => ({ Page: (await import('./pages/contacts/person-page.tsx')).PersonPage }),
  },
  {
    key: 'rules',
    path: '/rules',
    needs: null,
    inMenu: true,
    group: 'rules',
    load: async () => ({ Page: (await import('./pages/policies/rules-page.tsx')).RulesPage }),
  },
  {
    key: 'scripts',
    path: '/scripts',
    needs: null,
    inMenu: true,
    group: 'rules',
    load: async () => ({ Page: (await import('./pages/scripts/scripts-page.tsx')).ScriptsPage }),
  },
  {
    key: 'script',
    path: '/scripts/:id',
    needs: null,
    inMenu: false,
    group: 'rules',
    load: async () => ({ Page: (await import('./pages/scripts/script-page.tsx')).ScriptPage }),
  },
  {
    key: 'scriptEditor',
    path: '/scripts/:id/edit',
    needs: null,
    inMenu: false,
    group: 'rules',
    load: async () => ({ Page: (await import('./pages/scripts/editor/editor-page.tsx')).ScriptEditorPage }),
  },
  {
    key: 'businesses',
    path: '/businesses',
    needs: null,
    inMenu: true,
    group: 'rules',
    load: async () => ({ Page: (await import('./pages/businesses/businesses-page.tsx')).BusinessesPage }),
  },
  {
    key: 'businessDispositions',
    path: '/businesses/:businessCode/dispositions',
    needs: 'campaign:write',
    inMenu: false,
    load: async () => ({ Page: (await import('./pages/dispositions/business-dispositions-page.tsx')).BusinessDispositionsPage }),
  },
  {
    key: 'agents',
    path: '/agents',
    needs: null,
    inMenu: true,
    group: 'people',
    load: async () => ({ Page: (await import('./pages/agents/agents-page.tsx')).AgentsPage }),
  },
  {
    key: 'groups',
    path: '/groups',
    needs: null,
    inMenu: true,
    group: 'people',
    load: async () => ({ Page: (await import('./pages/agents/groups-page.tsx')).GroupsPage }),
  },
  {
    key: 'users',
    path: '/users',
    needs: 'admin',
    inMenu: true,
    group: 'people',
    load: async () => ({ Page: (await import('./pages/users/users-page.tsx')).UsersPage }),
  },
  {
    key: 'breakReasons',
    path: '/agents/break-reasons',
    needs: 'agent:write',
    inMenu: true,
    group: 'people',
    load: async () => ({ Page: (await import('./pages/dispositions/break-reasons-page.tsx')).BreakReasonsPage }),
  },
  {
    key: 'lines',
    path: '/lines',
    needs: null,
    inMenu: true,
    group: 'lines',
    load: async () => ({ Page: (await import('./pages/lines/lines-page.tsx')).LinesPage }),
  },
  {
    key: 'cells',
    path: '/cells',
    needs: null,
    inMenu: true,
    group: 'lines',
    load: async () => ({ Page: (await import('./pages/cells/cells-page.tsx')).CellsPage }),
  },
  {
    key: 'events',
    path: '/events',
    needs: null,
    inMenu: true,
    group: 'records',
    load: async () => ({ Page: (await import('./pages/runtime-events/events-page.tsx')).EventsPage }),
  },
  {
    key: 'audit',
    path: '/audit',
    needs: 'audit:read',
    inMenu: true,
    group: 'records',
    load: async () => ({ Page: (await import('./pages/audit/audit-page.tsx')).AuditPage }),
  },
  {
    key: 'exports',
    path: '/exports',
    needs: 'campaign:dispatch',
    inMenu: true,
    group: 'records',
    load: async () => ({ Page: (await import('./pages/exports/exports-page.tsx')).ExportsPage }),
  },
  {
    key: 'webhooks',
    path: '/webhooks',
    needs: 'admin',
    inMenu: true,
    group: 'records',
    load: async () => ({ Page: (await import('./pages/webhooks/webhooks-page.tsx')).WebhooksPage }),
  },
  {
    key: 'account',
    path: '/account',
    needs: null,
    inMenu: false,
    load: async () => ({ Page: (await import('./pages/users/account-page.tsx')).AccountPage }),
  },
];

/** Entry of the menu: one page, or a group of pages. */
export interface MenuEntry {
  /** Key of the texts. */
  title: string;
  pages: readonly PageEntry[];
}

/** The menu, in the order of the pages. */
export const MENU: readonly MenuEntry[] = [
  ...Map.groupBy(
    PAGES.filter(({ inMenu }) => inMenu),
    ({ key, group }) => (group ? `menu.${group}` : `pages.${key}`),
  ),
].map(([title, pages]) => ({ title, pages }));
