import type { ApiAnswer } from '#test/support/server.ts';
import { type ManagementApi, required } from '../campaigns/builders.ts';

export type FileContent = string | Uint8Array<ArrayBuffer>;

/** Uploads files of contacts to the server of `api`, and reads what became of them. */
export function uploads(api: () => ManagementApi) {
  async function upload(
    campaignId: number,
    file: FileContent | FormData,
    fields: Record<string, string> = {},
    token = api().admin,
  ): Promise<ApiAnswer> {
    const form = file instanceof FormData ? file : formOf(file);
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return api().server.api('POST', `/api/campaigns/${campaignId}/import-files`, form, token);
  }

  function formOf(file: FileContent, name = '名单.csv'): FormData {
    const form = new FormData();
    form.append('file', new Blob([file]), name);
    return form;
  }

  // oxlint-disable-next-line typescript/no-explicit-any
  async function contactsOf(campaignId: number): Promise<any[]> {
    return required(await api().get(`/api/campaigns/${campaignId}/contacts?pageSize=200`)).rows.toReversed();
  }

  async function total(campaignId: number): Promise<number> {
    return required(await api().get(`/api/campaigns/${campaignId}/contacts`)).total;
  }

  return { upload, formOf, contactsOf, total };
}
