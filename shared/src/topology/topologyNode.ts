import type { ComponentHealth } from './componentHealth.ts'
import type { SeverityCounts } from './summary.ts'

/** What a component's own health is worked out from. */
export interface NodePart {
  readonly kind: 'check' | 'config'
  readonly id: string
  readonly name: string
  readonly health: ComponentHealth
  /** Since when it has this health; an ISO time, null where nobody knows. */
  readonly since: string | null
  /** Of a check, in its own word: it is counted by it. */
  readonly status?: string
  /** Open ones of an item. */
  readonly insights?: SeverityCounts
}

/** What is known of a component itself. */
export interface TopologyNode {
  readonly id: string
  readonly parentId: string | null
  /** Components whose selectors took it in beside its parent. */
  readonly linkedTo: readonly string[]
  /** The health that a person, an agent or the place of a lookup reported. */
  readonly health: ComponentHealth
  /** Since when that is reported. */
  readonly since?: string | null
  readonly status: string
  /** Its checks, and the items of the catalog that it stands for. */
  readonly parts: readonly NodePart[]
  /** Evidence in open incidents, by their type and severity. */
  readonly incidents: SeverityCounts
  /** Open incidents that it is evidence in, each once. */
  readonly openIncidents?: readonly string[]
  /** Expressions that decide instead, over `summary` and `self`. */
  readonly healthExpr?: string
  readonly statusExpr?: string
}
