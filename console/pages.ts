/** The whole console: each page with its path, the permission it takes, and its place in the menu. Titles are `pages.<key>` of the texts. */
export interface PageEntry {
  key: string;
  path: string;
  /** Null: whoever is signed in. */
  needs: string | null;
  inMenu: boolean;
  load: () => Promise<{ Page: React.ComponentType }>;
}

export const PAGES: readonly PageEntry[] = [
  {
    key: 'wall',
    path: '/',
    needs: null,
    inMenu: true,
    load: async () => ({ Page: (await import('./pages/wall/wall-page.tsx')).WallPage }),
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
    load: async () => ({ Page: (await import('./pages/campaign/campaign-page.tsx')).CampaignPage }),
  },
  {
    key: 'newCampaign',
    path: '/campaigns/new',
    needs: 'campaign:write',
    inMenu: false,
    load: async () => ({ Page: (await import('./pages/campaign-form/campaign-form-page.tsx')).CampaignFormPage }),
  },
  {
    key: 'editCampaign',
    path: '/campaigns/:id/edit',
    needs: 'campaign:write',
    inMenu: false,
    load: async () => ({ Page: (await import('./pages/campaign-form/campaign-form-page.tsx')).CampaignFormPage }),
  },
  {
    key: 'call',
    path: '/calls/:id',
    needs: null,
    inMenu: false,
    load: async () => ({ Page: (await import('./pages/call/call-page.tsx')).CallPage }),
  },
];

export const MENU = PAGES.filter(({ inMenu }) => inMenu);
