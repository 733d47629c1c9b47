import type { AttemptQuery } from './attempt-store.ts';
import type { AuditSearch } from './audit-store.ts';
import type { ContactQuery } from './contact-store.ts';
import type {
  Agent,
  AgentGroup,
  Attempt,
  AuditRow,
  Batch,
  Campaign,
  CampaignPhase,
  CampaignStatus,
  Contact,
  DoNotCallEntry,
  JsonObject,
  JsonValue,
  Line,
  PageRequest,
  Script,
  TranscriptSegment,
  User,
} from './records.ts';
import type { SoftphoneCall, SoftphoneFilter } from './softphone-store.ts';

/**
 * What the GraphQL façade reads beside the REST lists: slices behind a key, and rows by id for whole answers at once. Deleted rows do not exist here.
 *
 * Why:    a slice costs the same wherever it begins; rows by id cost one statement however many parents ask
 * Errors: DATABASE_UNAVAILABLE from every method
 */
export interface GraphStore {
  /** Newest first. */
  sliceCampaigns(slice: SliceRequest & { q: string }): Promise<Slice<Campaign>>;
  /** Newest first. */
  sliceAttempts(slice: SliceRequest & AttemptSearch): Promise<Slice<Attempt>>;
  /** Of each campaign, in the order asked, newest first; ids are distinct. So for all that slice lists of campaigns. */
  sliceContacts(campaignIds: readonly number[], slice: SliceRequest & ContactSearch): Promise<Slice<Contact>[]>;
  sliceAttemptsOf(campaignIds: readonly number[], slice: SliceRequest & Omit<AttemptSearch, 'campaignId'>): Promise<Slice<Attempt>[]>;
  sliceBatches(campaignIds: readonly number[], slice: SliceRequest): Promise<Slice<Batch>[]>;
  /** Newest first, expired entries included. */
  sliceDoNotCall(slice: SliceRequest & { q: string }): Promise<Slice<DoNotCallEntry>>;
  /** Newest first, each with its current version. */
  sliceScripts(slice: SliceRequest & ScriptQuery): Promise<Slice<ScriptVersion>>;
  /** Newest first. */
  sliceAuditLogs(slice: SliceRequest & AuditSearch): Promise<Slice<AuditRow>>;
  /** Newest first. */
  sliceUsers(slice: SliceRequest & { q: string }): Promise<Slice<User>>;
  /** Newest first. */
  sliceSoftphoneCalls(slice: SliceRequest & SoftphoneFilter): Promise<Slice<SoftphoneCall>>;
  /** How many rows match; of contacts and attempts from their tallies. So for all that count. */
  countCampaigns(query: { q: string }): Promise<number>;
  countAttempts(query: AttemptSearch): Promise<number>;
  countDoNotCall(query: { q: string }): Promise<number>;
  countScripts(query: ScriptQuery): Promise<number>;
  countUsers(query: { q: string }): Promise<number>;
  countAuditLogs(query: AuditSearch): Promise<number>;
  countSoftphoneCalls(filter: SoftphoneFilter): Promise<number>;
  /** Of each campaign, in the order asked. So for all that count lists of campaigns. */
  countContacts(campaignIds: readonly number[], query: ContactSearch): Promise<number[]>;
  countAttemptsOf(campaignIds: readonly number[], query: Omit<AttemptSearch, 'campaignId'>): Promise<number[]>;
  countBatches(campaignIds: readonly number[]): Promise<number[]>;
  /** In any order; unknown ids are left out. So for all that follow. */
  campaigns(campaignIds: readonly number[]): Promise<Campaign[]>;
  lines(lineIds: readonly number[]): Promise<Line[]>;
  agents(agentIds: readonly number[]): Promise<Agent[]>;
  agentGroups(groupIds: readonly number[]): Promise<AgentGroup[]>;
  contacts(contactIds: readonly number[]): Promise<Contact[]>;
  attempts(attemptIds: readonly number[]): Promise<Attempt[]>;
  /** In the order spoken within each attempt, at most 5,000 each. */
  transcripts(attemptIds: readonly number[]): Promise<TranscriptSegment[]>;
  /** Everything kept of each call, in the order in which it happened. */
  timelines(attemptIds: readonly number[]): Promise<AttemptEvent[]>;
  /** Exact at one instant for all of them. */
  progress(campaignIds: readonly number[]): Promise<CampaignProgress[]>;
}

export type ContactSearch = Omit<ContactQuery, keyof PageRequest>;
export type AttemptSearch = Omit<AttemptQuery, keyof PageRequest>;

export interface AttemptEvent {
  attemptId: number;
  /** UTC ms. */
  at: number;
  kind: 'claimed' | 'dialing' | 'accepted' | 'answered' | 'segment' | 'event' | 'ended' | 'result';
  text: string;
  detail: JsonValue;
}

export interface ScriptQuery {
  /** Empty: no search. */
  q: string;
  businessCode: string | null;
}

/** A script with its current version. */
export interface ScriptVersion extends Script {
  hash: string;
  body: JsonObject;
}

export interface SliceRequest {
  /** 1..200. */
  limit: number;
  /** Only rows with a smaller id; null: from the newest on. */
  before: number | null;
}

export interface Slice<Row> {
  rows: Row[];
  /** Whether there is more behind the last row. */
  hasMore: boolean;
}

/** How far a campaign is. Shape: `total` = the five statuses' sum; `held` and `awaitingRetry` are parts of them */
export interface CampaignProgress {
  campaignId: number;
  status: CampaignStatus;
  phase: CampaignPhase;
  phaseReason: string | null;
  /** UTC ms. */
  nextWakeAt: number | null;
  total: number;
  pending: number;
  submitted: number;
  completed: number;
  failed: number;
  paused: number;
  awaitingRetry: number;
  held: number;
  /** Open attempts. */
  activeCalls: number;
}
