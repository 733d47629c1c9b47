import { useQuery } from '@apollo/client/react';
import { Box, Button, Group, Skeleton, Table, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatDateTime } from '../../text/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { useQueryState } from '../../ui/use-query-state.ts';
import { PackDrawer } from './pack-drawer.tsx';
import { type PackFragment, type RuleFragment, RulePacksDocument } from './rule-packs.generated.ts';
import { useWords } from './use-words.ts';

/** Rules of countries as packs: their content, their source, and the campaigns for which they are switched on. */
export function RulePacks() {
  const { t } = useTranslation();
  const [open, setOpen] = useQueryState('pack');
  const { data, error } = useQuery(RulePacksDocument);
  if (error) return <Notice error={error} />;
  if (!data) return <Skeleton height={420} />;
  const packs = data.rulePacks ?? [];
  return (
    <>
      <Text className="quiet" mb="md">
        {t('rulePacks.about')}
      </Text>
      {packs.map(pack => (
        <PackSheet key={pack.packId} pack={pack} open={() => setOpen(pack.packId)} />
      ))}
      <PackDrawer pack={packs.find(({ packId }) => packId === open) ?? null} close={() => setOpen('')} />
    </>
  );
}

function PackSheet({ pack, open }: { pack: PackFragment; open: () => void }) {
  const { t } = useTranslation();
  const words = useWords();
  const name = words(pack.name);
  return (
    <section className="sheet" style={{ padding: '14px 18px', marginBottom: 16 }} aria-label={name}>
      <Group justify="space-between" align="flex-start" mb="xs">
        <Box flex="1 1 240px">
          <Title order={2}>{name}</Title>
          <Text className="quiet" size="sm">
            {words(pack.note)}
          </Text>
        </Box>
        <Button variant="default" onClick={open} aria-label={t('rulePacks.previewOf', { name })}>
          {t('rulePacks.open')}
        </Button>
      </Group>
      <Switches pack={pack} />
      <Table.ScrollContainer minWidth={760}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={170}>{t('rulePacks.rule')}</Table.Th>
              <Table.Th>{t('rulePacks.text')}</Table.Th>
              <Table.Th w="28%">{t('rulePacks.source')}</Table.Th>
              <Table.Th w={190}>{t('rulePacks.appliedBy')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {pack.rules.map(rule => (
              <RuleRow key={rule.ruleId} rule={rule} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}

function Switches({ pack: { switches } }: { pack: PackFragment }) {
  const { t } = useTranslation();
  if (switches.length === 0) {
    return (
      <Text className="quiet" mb="xs">
        {t('rulePacks.off')}
      </Text>
    );
  }
  return (
    <Group gap="md" mb="xs">
      {switches.map(({ campaignId, campaign, isCurrent, since }) => (
        <span key={campaignId ?? 'all'} className="tone-answered">
          {campaign ? <Link to={`/campaigns/${campaign.databaseId}`}>{campaign.name}</Link> : t('rulePacks.forAll')}{' '}
          <span className="quiet">{t('rulePacks.since', { at: formatDateTime(since) })}</span>
          {!isCurrent && <span className="tone-waiting"> {t('rulePacks.outdated')}</span>}
        </span>
      ))}
    </Group>
  );
}

function RuleRow({ rule }: { rule: RuleFragment }) {
  const { t } = useTranslation();
  const words = useWords();
  return (
    <Table.Tr>
      <Table.Td>{words(rule.name)}</Table.Td>
      <Table.Td>{words(rule.text)}</Table.Td>
      <Table.Td>
        {words(rule.source)}
        <Text className="quiet" size="xs">
          {rule.inForceFrom && t('rulePacks.inForce', { date: rule.inForceFrom })} {t('rulePacks.checked', { date: rule.lastChecked })}
        </Text>
      </Table.Td>
      <Table.Td className="quiet">{words(rule.appliedBy)}</Table.Td>
    </Table.Tr>
  );
}
