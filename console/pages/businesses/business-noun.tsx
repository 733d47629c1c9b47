import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Noun } from '../../form/noun.ts';
import { useCommands } from '../../form/use-commands.ts';
import { BusinessesDocument, type BusinessRowFragment, CreateBusinessDocument, UpdateBusinessDocument } from './businesses.generated.ts';

interface BusinessValues {
  businessName: string;
  businessCode: string;
  remark: string;
  runtimeBringsFlow: boolean;
}

function valuesOf(row: BusinessRowFragment | null): BusinessValues {
  const { businessName = '', businessCode = '', remark = '', runtimeBringsFlow = false } = row ?? {};
  return { businessName, businessCode, remark, runtimeBringsFlow };
}

/** How businesses are made, changed and disabled. */
export function useBusinessNoun(listChanged: () => unknown): Noun<BusinessRowFragment, BusinessValues> {
  const { t } = useTranslation();
  const { run, read } = useCommands();
  return {
    text: 'businesses',
    needs: 'campaign:write',
    auditedAs: 'business',
    nameOf: ({ businessName }) => businessName,
    fields: row => [
      { kind: 'text', name: 'businessName', maxLength: 128, isNeeded: true },
      { kind: 'text', name: 'businessCode', maxLength: 64, isNeeded: true, hasAbout: true, fixed: row && t('businesses.codeStays') },
      { kind: 'long', name: 'remark', maxLength: 2_000 },
      { kind: 'switch', name: 'runtimeBringsFlow', hasAbout: true },
    ],
    valuesOf,
    listChanged,
    locked: ({ isConfigured }) => (isConfigured ? t('businesses.lockedBy') : null),
    create: input => run(CreateBusinessDocument, { input }),
    update: ({ databaseId: id }, { businessCode: _code, ...input }) => run(UpdateBusinessDocument, { id, input }),
    reload: async ({ id }) => (await read(BusinessesDocument, {}))?.businesses?.find(business => business.id === id) ?? null,
    power: {
      isEnabled: ({ isEnabled }) => isEnabled,
      set: ({ databaseId: id }, isEnabled) => run(UpdateBusinessDocument, { id, input: { isEnabled } }),
      warning: 'businesses.disableLoses',
    },
    more: row => <Scripts row={row} />,
  };
}

/** A link from a business to its script, or to a new one. */
function Scripts({ row: { script, businessCode } }: { row: BusinessRowFragment }) {
  const { t } = useTranslation();
  return (
    <p>
      {script ? (
        <Link to={`/scripts/${script.databaseId}`}>{t('businesses.scriptVersion', { name: script.name, version: script.version })}</Link>
      ) : (
        <Link to={`/scripts?new=${encodeURIComponent(businessCode)}`}>{t('businesses.newScript')}</Link>
      )}
    </p>
  );
}
