/** Source: NLU §2 "Branch" */
export interface Branch {
  key: string;
  desc: string;
}

/** Body of the action `decision`. Source: NLU §4, D13.4 */
export interface DecisionBody {
  /** Null or absent selects the action's default profile [D13.1]. */
  profile?: string | null | undefined;
  text: string;
  branches: Branch[];
}

/**
 * Payload of a decision response.
 *
 * Shape:  `key` is always one of the given keys; `confidence` 0..1; `reason` Chinese
 * Source: NLU §2 "Decision result", D13.2
 */
export interface DecisionResult {
  key: string;
  confidence: number;
  reason: string;
}
