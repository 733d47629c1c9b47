import { useQuery } from '@apollo/client/react';
import { Alert, Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isRefusal } from '../../api/refusal.ts';
import { useCommands } from '../../form/use-commands.ts';
import { agentDayPath } from '../../ui/agent-day-path.ts';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { RegistrationText } from './agent-words.tsx';
import { AgentPhonesDocument, type AgentRowFragment, SetAgentStatusDocument } from './agents.generated.ts';

const STATUSES = ['IDLE', 'BUSY', 'OFFLINE'] as const;

/** Current status of an agent, and the registration of their phone. */
export function AgentFacts({ agent }: { agent: AgentRowFragment }) {
  const { t } = useTranslation();
  const { data } = useQuery(AgentPhonesDocument, { skip: useDisabledReason('agent:operate') !== null });
  const phone = data?.sipConfigs?.find(({ agentId }) => agentId === agent.databaseId);
  return (
    <section>
      <Status agent={agent} />
      <Link to={agentDayPath(agent.databaseId)}>{t('agentDay.all')}</Link>
      <Group gap="xs" mb="md">
        <Text className="quiet">{t('agents.phone')}</Text>
        <RegistrationText status={agent.registrationStatus} />
        {phone && <Text className="quiet">{t('agents.registersAs', { uri: phone.sipUri, user: phone.authUsername })}</Text>}
      </Group>
    </section>
  );
}

function Status({ agent: { databaseId, status, isEnabled, currentCallKey } }: { agent: AgentRowFragment }) {
  const { t } = useTranslation();
  const forbidden = useDisabledReason('agent:operate');
  const { run } = useCommands();
  const [refusal, setRefusal] = useState<string | null>(null);
  const reason = isEnabled ? forbidden : t('agents.isDisabled');

  async function set(next: string): Promise<void> {
    const result = await run(SetAgentStatusDocument, { id: databaseId, status: next as (typeof STATUSES)[number] });
    setRefusal(isRefusal(result) ? result.message : null);
  }

  return (
    <>
      <Group gap="sm" mb="sm">
        <SegmentedControl
          aria-label={t('agents.status')}
          value={status}
          onChange={next => void set(next).catch((error: Error) => setRefusal(error.message))}
          disabled={reason !== null}
          data={STATUSES.map(value => ({ value, label: t(`agentStatus.${value}`) }))}
        />
        <Text size="sm" className="quiet">
          {reason ?? (currentCallKey ? t('agents.inCall') : '')}
        </Text>
      </Group>
      {refusal && (
        <Alert color="red" role="alert" mb="sm">
          {refusal}
        </Alert>
      )}
    </>
  );
}
