import { join } from 'node:path';
import { MONITORED_BUSINESS } from '#campaigns/campaign.ts';
import { PROJECT } from '../commands/project.ts';

/** Demo data of the first start; later starts find them by these names. */
export const DEMO = {
  business: { businessCode: 'spring-visit', businessName: '春季回访', remark: '示例业务' },
  /** Campaign for simulated monitors; it needs a business that allows monitoring (OCS 2.6). */
  watched: {
    business: { businessCode: MONITORED_BUSINESS, businessName: '知识库语音对话', remark: '示例业务，由人工监听' },
    campaign: { name: '春季回访（人工监听）', monitoringMode: 'elastic', monitoringPriority: 10 },
  },
  line: {
    name: '示例线路',
    code: 'demo-line',
    // The simulated switch accepts every gateway.
    dialStringTemplate: 'sofia/gateway/carrier/{{destinationNumber}}',
    callerIdName: '春季回访',
    maxConcurrency: 30,
    allocationMode: 'number_pool',
    numbers: [
      { number: '01055500001', weight: 2, maxConcurrency: 15 },
      { number: '01055500002', weight: 1, maxConcurrency: 15 },
      { number: '01055500003', weight: 1, maxConcurrency: 15 },
    ],
    description: '通过模拟交换机外呼，不会打给真实号码',
  },
  campaign: {
    name: '春季回访',
    maxConcurrency: 30,
    maxRetries: 1,
    retryIntervalSeconds: 60,
    callIntervalMs: 200,
    businessConfig: { variables: { shop: '示例营业厅' }, intentKeywords: ['投诉', '人工', '办理'] },
    description: '演示活动',
  },
  /** A person who has changed their number: the first is dialled, does not exist, and the second answers (D6.7). */
  moved: {
    phoneNumber: '13800000404',
    customerName: '周换号',
    remark: '原号码已停用，备用号码可接通',
    numbers: [
      { phoneNumber: '13800000404', label: '原号码' },
      { phoneNumber: '13900000405', label: '备用号码' },
    ],
  },
  /** By extension at the simulated switch. Complaints are transferred to these agents; a user who signs in as one has their phone in the browser. */
  agents: [
    { name: '李雷', phoneExtension: '1001', username: 'lilei' },
    { name: '韩梅梅', phoneExtension: '1002', username: 'hanmeimei' },
  ],
  /**
   * Behaviour of simulated customers: ring and talk times in ms, the share that hangs up mid-call, and how many times faster than real
   * customers they talk, so that results come within seconds.
   */
  world: { ringMs: '400-3000', talkMs: '10000-40000', impatientRate: '0.3', speed: '4' },
} as const;

/** People of the demo's campaign. */
export const CONTACTS_FILE = join(PROJECT, 'examples/contacts.csv');

export const CELL_ID = 'simulated';
