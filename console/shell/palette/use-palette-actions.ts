import { useQuery } from '@apollo/client/react';
import { useMantineColorScheme } from '@mantine/core';
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useMe } from '../../api/me.ts';
import { signOut } from '../../api/sign-in.ts';
import { PAGES, type PageEntry } from '../../pages.ts';
import { chooseLanguage, currentLanguage } from '../../text/text.ts';
import { useTyped } from '../../ui/use-typed.ts';
import { type PaletteCampaignFragment, PaletteCampaignsDocument } from './palette.generated.ts';
import { useCampaignActs } from './use-campaign-acts.ts';

/** Most campaigns for which actions are listed too. */
const MOST_ACTED = 3;
/** A number as typed or pasted: digits with or without a country code and separators. */
const NUMBER = /^\+?[\d\s-]{5,24}$/;

/** Pages and actions that match what was typed; campaigns come from the server. */
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

/** Pages that need nothing in their URL; keywords of both languages find them. */
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

/** Splits what was typed into words for actions and the rest, which names a campaign, in either order. */
function useVerbs(typed: string): { search: string; verbs: string } {
  const { t } = useTranslation();
  const known = t('palette.verbs').split(' ');
  const words = typed.trim().split(/\s+/);
  const isVerb = (word: string) => known.includes(word.toLowerCase());
  return { search: words.filter(word => !isVerb(word)).join(' '), verbs: words.filter(isVerb).join(' ') };
}

/** Campaigns whose name matches; the newest ones when only an action was named. */
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

/** The page about a number, if the user typed one. */
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
