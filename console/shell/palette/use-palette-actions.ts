import { useQuery } from '@apollo/client/react';
import { useMantineColorScheme } from '@mantine/core';
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { signOut } from '../../api/sign-in.ts';
import { type PageEntry, PAGES } from '../../pages.ts';
import { useTyped } from '../../parts/use-typed.ts';
import { chooseLanguage, currentLanguage } from '../../text/text.ts';
import { useMe } from '../me.ts';
import { type PaletteCampaignFragment, PaletteCampaignsDocument } from './palette.generated.ts';
import { useCampaignActs } from './use-campaign-acts.ts';

/** Campaigns of which it is also shown what may be done. */
const MOST_ACTED = 3;
/** What people type or paste as a number: digits, with a country code and separators or without. */
const NUMBER = /^\+?[\d\s-]{5,24}$/;

/** Where one may go and what one may do from anywhere, those that fit what was typed; campaigns come from the server. */
export function usePaletteActions(typed: string): SpotlightActionGroupData[] {
  const { t } = useTranslation();
  const { search, verbs } = useVerbs(typed);
  const campaigns = useCampaigns(search, verbs !== '');
  const acts = useCampaignActs(campaigns.slice(0, MOST_ACTED));
  const groups = [
    { group: t('palette.numbers'), actions: useNumber(typed) },
    { group: t('palette.campaigns'), actions: useCampaignPages(campaigns) },
    { group: t('palette.campaignActs'), actions: fitting(acts, verbs) },
    { group: t('palette.pages'), actions: fitting(usePages(), typed) },
    { group: t('palette.acts'), actions: fitting(useActs(), typed) },
  ];
  return groups.filter(({ actions }) => actions.length > 0);
}

function fitting(actions: SpotlightActionData[], typed: string): SpotlightActionData[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return actions.filter(({ label, keywords }) => words.every(word => `${label} ${String(keywords ?? '')}`.toLowerCase().includes(word)));
}

/** Those that need nothing in their address; the keys find them in either language. */
function usePages(): SpotlightActionData[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { may } = useMe();
  return PAGES.filter(({ path, needs }) => !path.includes(':') && may(needs) !== false).map(({ key, path }) => ({
    id: `page ${key}`,
    label: t(`pages.${key}`),
    keywords: `${key} ${path}`,
    onClick: () => void navigate(path),
  }));
}

/** What is typed of the words for acts, and the rest, which names a campaign: acts are found by both, in either order. */
function useVerbs(typed: string): { search: string; verbs: string } {
  const { t } = useTranslation();
  const known = t('palette.verbs').split(' ');
  const words = typed.trim().split(/\s+/);
  const isVerb = (word: string) => known.includes(word.toLowerCase());
  return { search: words.filter(word => !isVerb(word)).join(' '), verbs: words.filter(isVerb).join(' ') };
}

/** Those whose name fits; the newest when only an act was named. */
function useCampaigns(search: string, isActNamed: boolean): readonly PaletteCampaignFragment[] {
  const wanted = useTyped(search);
  const isAsked = search !== '' || isActNamed;
  const { data } = useQuery(PaletteCampaignsDocument, { variables: { search: wanted }, skip: !isAsked, fetchPolicy: 'no-cache' });
  return isAsked ? (data?.campaigns?.nodes ?? []) : [];
}

function useCampaignPages(campaigns: readonly PaletteCampaignFragment[]): SpotlightActionData[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return campaigns.map(({ id, databaseId, name, status }) => ({
    id,
    label: name,
    description: t(`campaignStatus.${status}`),
    onClick: () => void navigate(`/campaigns/${databaseId}`),
  }));
}

/** To everything that was done with a number, where there is a page for it. */
function useNumber(typed: string): SpotlightActionData[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const page = PAGES.find(({ key }) => key === 'person');
  const number = typed.replaceAll(/[\s-]/g, '');
  if (!page || !NUMBER.test(typed.trim())) return [];
  const open = () => void navigate(pathOf(page, number));
  return [{ id: 'number', label: t('palette.number', { number }), onClick: open }];
}

function pathOf({ path }: PageEntry, value: string): string {
  return path.replace(/:\w+/, encodeURIComponent(value));
}

function useActs(): SpotlightActionData[] {
  const { t } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const other = currentLanguage() === 'zh' ? 'en' : 'zh';
  return [
    ...(['light', 'dark', 'auto'] as const).map(scheme => ({
      id: `scheme ${scheme}`,
      label: t('palette.scheme', { scheme: t(`preferences.${scheme}`) }),
      keywords: `theme ${scheme}`,
      onClick: () => setColorScheme(scheme),
    })),
    { id: 'language', label: t('palette.language'), keywords: 'language 语言 english 中文', onClick: () => void chooseLanguage(other) },
    { id: 'sign out', label: t('shell.signOut'), keywords: 'logout', onClick: () => void signOut() },
  ];
}
