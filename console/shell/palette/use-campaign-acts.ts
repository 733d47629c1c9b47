import { useApolloClient } from '@apollo/client/react';
import type { SpotlightActionData } from '@mantine/spotlight';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { isRefusal } from '../../api/refusal.ts';
import { sayDone } from '../../ui/toast.ts';
import { useActionDisabledReason } from '../../ui/use-disabled-reason.ts';
import { type PaletteCampaignFragment, PalettePauseDocument, PaletteStartDocument } from './palette.generated.ts';
import { spotlight } from './spotlight.ts';

/** Actions that run at once; all others open a page. */
const MOVES = { START: PaletteStartDocument, PAUSE: PalettePauseDocument } as const;
/** Pages of the other actions, below the campaign's page. */
const WAYS = { IMPORT_CONTACTS: '/import', EDIT: '/edit' } as const;

/** Actions on campaigns, possible anywhere; disabled ones show the server's reason, and a refusal appears below the action. */
export function useCampaignActs(campaigns: readonly PaletteCampaignFragment[]): SpotlightActionData[] {
  const { t } = useTranslation();
  const client = useApolloClient();
  const navigate = useNavigate();
  const disabledReasonOf = useActionDisabledReason();
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});

  async function move(id: string, campaign: PaletteCampaignFragment, name: keyof typeof MOVES): Promise<void> {
    try {
      const { data } = await client.mutate({ mutation: MOVES[name], variables: { id: campaign.databaseId } });
      if (isRefusal(data?.result)) return setRefused({ [id]: data.result.message });
      sayDone(t(`palette.done.${name}`, { name: campaign.name }));
      spotlight.close();
    } catch (error) {
      setRefused({ [id]: (error as Error).message });
    }
  }

  return campaigns.flatMap(campaign => {
    const { databaseId, name, actions } = campaign;
    const path = `/campaigns/${databaseId}`;
    const act = (what: keyof typeof MOVES | keyof typeof WAYS): SpotlightActionData[] => {
      // Skip an action whose result the campaign already has.
      if (what in MOVES && isDone(campaign, what)) return [];
      const reason = disabledReasonOf(actions, what);
      const id = `${what} ${databaseId}`;
      const label = t(`palette.act.${what}`, { name });
      if (reason !== null) return [{ id, label, description: reason, 'aria-disabled': true, closeSpotlightOnTrigger: false }];
      if (what === 'START' || what === 'PAUSE')
        return [
          { id, label, description: refused[id] ?? '', closeSpotlightOnTrigger: false, onClick: () => void move(id, campaign, what) },
        ];
      return [{ id, label, onClick: () => void navigate(path + WAYS[what]) }];
    };
    const preflight = { id: `PREFLIGHT ${databaseId}`, label: t('palette.act.PREFLIGHT', { name }), onClick: () => void navigate(path) };
    return [...act('START'), ...act('PAUSE'), preflight, ...act('IMPORT_CONTACTS'), ...act('EDIT')];
  });
}

function isDone({ status }: PaletteCampaignFragment, what: string): boolean {
  return what === 'START' ? status === 'RUNNING' : what === 'PAUSE' ? status !== 'RUNNING' : false;
}
