import { LockMode, serialize } from '@mikro-orm/core';
import { audit, auditChange, type AuditPart, changeOf } from '#audit/audit.ts';
import type { Caller } from '#kernel/caller.ts';
import { conflict, notFound } from '#kernel/errors.ts';
import { overlay } from '#kernel/json.ts';
import type { Platform } from '#platform/platform.ts';
import { unlessTaken } from '#platform/postgres/failures.ts';
import type { Business, BusinessChanges, NewBusiness } from './business.ts';
import { BusinessEntity } from './business-store.ts';

type BusinessesApp = AuditPart & Pick<Platform, 'db' | 'wake'>;

/**
 * Makes a business beside those of the configuration.
 *
 * Errors: CONFLICT (BUSINESS_CODE_TAKEN)
 * Source: D1.3
 */
export async function createBusiness(app: BusinessesApp, caller: Caller, input: NewBusiness): Promise<Business> {
  const { businessCode } = input;
  const taken = () => conflict('BUSINESS_CODE_TAKEN', `业务代码 ${businessCode} 已存在`, 'businessCode');
  const made = await app.db.transaction(async ({ em }) => {
    const entity = em.create(BusinessEntity, { ...input, isConfigured: false });
    await unlessTaken('business_business_code_key', taken, () => em.flush());
    return serialize(entity);
  });
  await audit(app, caller, {
    action: 'business.created',
    targetType: 'business',
    targetId: made.id,
    summary: `新建业务「${made.businessName}」`,
    detail: { businessCode, isEnabled: made.isEnabled, runtimeBringsFlow: made.runtimeBringsFlow },
  });
  return made;
}

/**
 * Changes, enables or disables a business. Campaigns that wait for it look again at once, on every server.
 *
 * Errors: NOT_FOUND; CONFLICT (BUSINESS_CONFIGURED) for a business of the configuration
 * Source: D1.3
 */
export async function updateBusiness(app: BusinessesApp, caller: Caller, id: number, changes: BusinessChanges): Promise<Business> {
  const { before, after } = await app.db.transaction(async ({ em }) => {
    const entity = await em.findOne(BusinessEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (entity === null) throw notFound('业务');
    if (entity.isConfigured) throw conflict('BUSINESS_CONFIGURED', `业务「${entity.businessName}」由服务器配置维护，请在配置中修改`);
    const before = serialize(entity);
    em.assign(entity, overlay<Changeable>(before, changes));
    await em.flush();
    return { before, after: serialize(entity) };
  });
  const entry = { action: 'business.updated', targetType: 'business', targetId: id, summary: `修改业务「${after.businessName}」` } as const;
  await auditChange(app, caller, entry, changeOf(before, after));
  app.wake.campaign(null);
  return after;
}

type Changeable = Pick<Business, 'businessName' | 'isEnabled' | 'remark' | 'runtimeBringsFlow'>;
