import { sql } from 'kysely';
import type { AuditedAction } from '#audit/audit.ts';
import { insertCampaign } from '#test/support/rows.ts';
import { administrator, type AuditCases } from './audit-case.ts';
import { database, unique } from './new-rows.ts';
import type { ConferenceRig } from '#test/support/conference-rig.ts';

async function newList(rig: ConferenceRig): Promise<number> {
  const { list } = await administrator(rig).prepare('POST', '/api/lists', { name: unique(), kind: 'contacts' });
  return list.id;
}

async function upload(rig: ConferenceRig): Promise<string> {
  const form = new FormData();
  form.set('file', new File(['手机号,姓名\n13800138000,张三\n'], 'list.csv'));
  return (await administrator(rig).prepare('POST', '/api/list-files', form)).file.id;
}

/** Actions on the library of lists and on imports of any length; `import-job.test.ts` checks the row of an import that has ended. */
export const LIST_CASES: AuditCases<Exclude<Extract<AuditedAction, `${'list' | 'import'}.${string}`>, 'list.imported'>> = {
  'list.created': async rig => {
    const answer = await administrator(rig).ask('POST', '/api/lists', { name: unique(), kind: 'contacts' });
    return { answer, targetType: 'list', targetId: answer.data.list.id };
  },
  'list.updated': async rig => {
    const id = await newList(rig);
    return { answer: await administrator(rig).ask('PATCH', `/api/lists/${id}`, { description: '改' }), targetType: 'list', targetId: id };
  },
  'list.deleted': async rig => {
    const id = await newList(rig);
    return { answer: await administrator(rig).ask('DELETE', `/api/lists/${id}`), targetType: 'list', targetId: id };
  },
  'list.used': async rig => {
    const id = await newList(rig);
    await database(rig).run(sql`update contact_list set version = 1 where id = ${id}`);
    const campaignId = await insertCampaign(database(rig));
    const answer = await administrator(rig).ask('POST', `/api/lists/${id}/campaigns`, { campaignId });
    return { answer, targetType: 'campaign', targetId: campaignId };
  },
  'import.started': async rig => {
    const [id, fileId] = [await newList(rig), await upload(rig)];
    return { answer: await administrator(rig).ask('POST', '/api/imports', { fileId, listId: id }), targetType: 'list', targetId: id };
  },
};
