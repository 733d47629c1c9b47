import { Migration } from '@mikro-orm/migrations';

/**
 * Messages of supervisors to agents, and the indexes of their board.
 *
 * Source: D12.11
 */
export class Migration20261129003400AgentMessages extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  // The user at the time of sending reads it, whoever works as the agent later.
  `create table agent_message (
     id bigint generated always as identity primary key, agent_id int not null references agent, user_id int not null,
     text text not null, sent_by text not null, read_at timestamptz(3), created_at timestamptz(3) not null default now())`,
  `create index agent_message_unread on agent_message (user_id, id desc) where read_at is null`,
  // Serves the foreign key, which checks each deleted row.
  `create index agent_message_agent on agent_message (agent_id)`,
  // What agents did today.
  `create index softphone_call_agent_day on softphone_call (agent_id, created_at)`,
  // The calls of the last hour that needed a person.
  `create index softphone_call_called_back on softphone_call (created_at) where direction = 'callback'`,
  `create index conference_session_created on conference_session (created_at)`,
];
