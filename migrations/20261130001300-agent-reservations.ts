import { Migration } from '@mikro-orm/migrations';

/** The call that holds an agent stands beside each state of that call, so that a loss of the cache does not take it. Source: D12.7 */
export class Migration20261130001300AgentReservations extends Migration {
  override up(): void {
    this.addSql('alter table agent_state rename column wrap_up to reservation');
  }
}
