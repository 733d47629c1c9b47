/** Column indexes; -1 = no such column. */
export interface ColumnPlan {
  phoneNumber: number;
  customerName: number;
  remark: number;
  metadata: readonly { name: string; index: number }[];
  /** A column of JSON objects whose members are metadata, as the product's own export has it. */
  variables: number;
}
