import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pasteContactsRoute } from '#contacts/routes.ts';
import { createCampaignRoute, getCampaignRoute, listCampaignsRoute, updateCampaignRoute } from '#campaigns/routes.ts';
import { getBusinessDispositionsRoute, setBusinessDispositionsRoute } from '#dispositions/routes.ts';
import { importFileRoute } from '#imports/routes.ts';
import { createLineRoute, listLinesRoute } from '#lines/routes.ts';
import { listScriptsRoute, saveScriptRoute } from '#scripts/routes.ts';
import type { PrintLine } from '../services/service.ts';
import { PROJECT } from '../commands/project.ts';
import { CONTACTS_FILE, DEMO } from './demo.ts';
import { type RestClient, RestFailure } from './rest-client.ts';
import { WORDS } from './words.ts';

const CONFLICT = 409;
const SCRIPT = join(PROJECT, 'examples/spring-visit.script.json');

/**
 * Creates the demo's line, script, campaign and contacts as an API client would, and starts the campaign. Keeps existing ones.
 *
 * Shape: the campaign's id
 */
export async function seedDemo(client: RestClient, print: PrintLine, isWatched = false): Promise<number> {
  const scene = isWatched ? watchedScene() : SCENE;
  const isTurn = await pauseOther(client, isWatched ? SCENE : watchedScene(), print);
  const lineId = await findOrCreateLine(client);
  await ensureScript(client);
  await ensureDispositions(client);
  const campaignId = await findOrCreateCampaign(client, lineId, scene);
  await importContactsOnce(client, campaignId, print);
  await run(client, { campaignId, isTurn }, print);
  return campaignId;
}

/** The campaign's fields. */
type Scene = { name: string; [field: string]: unknown };

const { businessCode } = DEMO.business;
const SCENE: Scene = DEMO.campaign;

function watchedScene(): Scene {
  const { name, ...monitoring } = DEMO.watched;
  return { ...DEMO.campaign, name, businessConfig: { ...DEMO.campaign.businessConfig, ...monitoring } };
}

/**
 * Pauses the demo's other campaign (with or without monitors) of an earlier start, which would take most of the line's calls. True when it
 * was running.
 */
async function pauseOther(client: RestClient, { name }: Scene, print: PrintLine): Promise<boolean> {
  const { rows } = await client.call(listCampaignsRoute, { query: { q: name } });
  const other = rows.find(row => row.name === name && row.status === 'running');
  if (!other) return false;
  await client.call(updateCampaignRoute, { params: { id: other.id }, body: { status: 'paused' } });
  print(WORDS.otherPaused(name));
  return true;
}

async function findOrCreateLine(client: RestClient): Promise<number> {
  const { rows } = await client.call(listLinesRoute);
  const known = rows.find(line => line.code === DEMO.line.code);
  return known?.id ?? (await client.call(createLineRoute, { body: DEMO.line })).line.id;
}

async function ensureScript(client: RestClient): Promise<void> {
  const { total } = await client.call(listScriptsRoute, { query: { businessCode } });
  if (total === 0) await client.call(saveScriptRoute, { body: { ...JSON.parse(await readFile(SCRIPT, 'utf8')), businessCode } });
}

async function ensureDispositions(client: RestClient): Promise<void> {
  const params = { businessCode };
  const { dispositions } = await client.call(getBusinessDispositionsRoute, { params });
  if (dispositions.version === 0) await client.call(setBusinessDispositionsRoute, { params, body: DEMO.dispositions });
}

async function findOrCreateCampaign(client: RestClient, lineId: number, campaign: Scene): Promise<number> {
  const { rows } = await client.call(listCampaignsRoute, { query: { q: campaign.name } });
  const known = rows.find(row => row.name === campaign.name && row.status !== 'archived');
  if (known) return known.id;
  const body = { ...campaign, businessCode, lineIds: [lineId] };
  return (await client.call(createCampaignRoute, { body })).campaign.id;
}

async function importContactsOnce(client: RestClient, campaignId: number, print: PrintLine): Promise<void> {
  const { contactTotal } = await client.call(getCampaignRoute, { params: { id: campaignId } });
  if (contactTotal > 0) return;
  await client.call(pasteContactsRoute, { params: { id: campaignId }, body: { contacts: [DEMO.moved] } });
  const form = new FormData();
  form.append('file', new Blob([await readFile(CONTACTS_FILE)], { type: 'text/csv' }), 'contacts.csv');
  const result = await client.call(importFileRoute, { params: { id: campaignId }, form });
  print(WORDS.imported('examples/contacts.csv', result));
}

interface Turn {
  campaignId: number;
  /** Whether the other campaign was just paused for this one. */
  isTurn: boolean;
}

/** Starts a campaign that is new or whose turn it is. A completed campaign, or one that a user has paused, stays as it is. */
async function run(client: RestClient, { campaignId, isTurn }: Turn, print: PrintLine): Promise<void> {
  const { campaign } = await client.call(getCampaignRoute, { params: { id: campaignId } });
  const { status } = campaign;
  if (status === 'running') return;
  if (status === 'completed' || (status === 'paused' && !isTurn)) return print(WORDS.isNotBegun(status));
  try {
    await client.call(updateCampaignRoute, { params: { id: campaignId }, body: { status: 'running' } });
  } catch (error) {
    if (!(error instanceof RestFailure && error.status === CONFLICT)) throw error;
    print(WORDS.nobodyLeft(error.message));
  }
}
