import { Alert, Group, Select, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isRefusal } from '../../api/refusal.ts';
import { useCommands } from '../../form/use-commands.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { useDisabledReason } from '../../ui/use-disabled-reason.ts';
import { AgentStatusText } from './agent-words.tsx';
import { type GroupMembersQuery, type GroupRowFragment, MoveAgentDocument } from './groups.generated.ts';

export type Agent = NonNullable<GroupMembersQuery['agents']>[number];

interface MembersProps {
  group: GroupRowFragment;
  agents: readonly Agent[];
  changed: () => unknown;
}

/** Members of the group; an agent belongs to at most one group, so adding one removes it from its other group. */
export function Members({ group, agents, changed }: MembersProps) {
  const { t } = useTranslation();
  const lacks = useDisabledReason('agent:write');
  const { run } = useCommands();
  const [refusal, setRefusal] = useState<string | null>(null);
  const members = agents.filter(({ groupId }) => groupId === group.databaseId);

  async function move(id: string, groupId: string | null): Promise<void> {
    const result = await run(MoveAgentDocument, { id, groupId });
    setRefusal(isRefusal(result) ? result.message : null);
    await changed();
  }

  return (
    <section>
      <Title order={3} mt="xl" mb="xs">
        {t('groups.members')}
      </Title>
      {refusal && (
        <Alert color="red" role="alert" mb="sm">
          {refusal}
        </Alert>
      )}
      {members.length === 0 && <Text className="quiet">{t('groups.noMembers')}</Text>}
      {members.map(agent => (
        <Group key={agent.id} justify="space-between" py={4} gap="sm">
          <span>
            <Link to={`/agents?open=${agent.databaseId}`}>{agent.name}</Link> <AgentStatusText {...agent} />
          </span>
          <ActButton
            variant="subtle"
            size="compact-sm"
            reason={lacks}
            label={t('groups.takeOutOf', { name: agent.name })}
            act={() => void move(agent.databaseId, null)}
          >
            {t('groups.takeOut')}
          </ActButton>
        </Group>
      ))}
      <Select
        mt="sm"
        label={t('groups.add')}
        placeholder={t('groups.addWhom')}
        description={lacks}
        disabled={lacks !== null}
        searchable
        value={null}
        onChange={id => id && void move(id, group.databaseId)}
        data={agents
          .filter(({ groupId }) => groupId !== group.databaseId)
          .map(({ databaseId, name }) => ({ value: databaseId, label: name }))}
      />
    </section>
  );
}
