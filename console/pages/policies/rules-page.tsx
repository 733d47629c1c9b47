import { useTranslation } from 'react-i18next';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { Consents } from '../consent/consents.tsx';
import { DoNotCall } from '../do-not-call/do-not-call.tsx';
import { OutcomeRules } from '../outcome-rules/outcome-rules.tsx';
import { RulePacks } from '../rule-packs/rule-packs.tsx';
import { DialingCalendar } from './dialing-calendar.tsx';
import { Holidays } from './holidays.tsx';
import { Policies } from './policies.tsx';

/** Rules about times, numbers and frequency of dialling. */
export function RulesPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageTabs
        label={t('pages.rules')}
        tabs={[
          { key: 'policies', label: t('rules.policies'), content: <Policies /> },
          { key: 'outcomes', label: t('rules.outcomes'), content: <OutcomeRules campaignId={null} /> },
          { key: 'calendar', label: t('rules.calendar'), content: <DialingCalendar /> },
          { key: 'doNotCall', label: t('rules.doNotCall'), content: <DoNotCall />, needs: 'compliance:write' },
          { key: 'packs', label: t('rules.packs'), content: <RulePacks /> },
          { key: 'consents', label: t('rules.consents'), content: <Consents /> },
          { key: 'holidays', label: t('rules.holidays'), content: <Holidays /> },
        ]}
      />
    </>
  );
}
