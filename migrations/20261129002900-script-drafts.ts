import { Migration } from '@mikro-orm/migrations';
import { TIMES, touch } from './fragments.ts';

/**
 * The draft of a script, which version was put in force by whom and why, and utterances by which a script is tested.
 *
 * Source: D11
 */
export class Migration20261129002900ScriptDrafts extends Migration {
  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS = [
  // One draft a script: `revision` tells apart what two people save at once, `based_on` is the version that it began with.
  `create table script_draft (
     script_id int primary key references script, revision int not null default 1, based_on int not null, body jsonb not null,
     updated_by int, ${TIMES})`,
  // `version` null: the script was taken out of use.
  `create table script_activation (
     id bigint generated always as identity primary key, script_id int not null references script, version int,
     reason text not null default '', acted_by int, ${TIMES})`,
  `create index script_activation_script on script_activation (script_id, id desc)`,
  `create table script_utterance (
     id bigint generated always as identity primary key, script_id int not null references script, node_id text not null, text text not null,
     expected text not null, created_by int, ${TIMES}, unique (script_id, node_id, text))`,
  // How often nodes were entered and left is read from the newest results of a script.
  `create index attempt_script on attempt (script_id, id desc) where result_at is not null and deleted_at is null and script_id is not null`,
  ...touch('script_draft', 'script_activation', 'script_utterance'),
];
