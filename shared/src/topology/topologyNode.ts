import type { ComponentHealth } from './componentHealth.ts'
import type { OwnCounts } from './summary.ts'

/** What a component's own health is worked out from. */
export interface NodePart {
  readonly kind: 'check' | 'config'
  readonly id: string
  readonly name: string
  readonly health: ComponentHealth
  /** Since when it has this health; an ISO time, null where nobody knows. */
  readonly since: string | null
}

/** What is known of a component itself. */
export interface TopologyNode {
  readonly id: string
  readonly parentId: string | null
  /** Components whose selectors took it in beside its parent. */
  readonly linkedTo: readonly string[]
  /** What was said of it: by a person, an agent, or where it was looked up. */
  readonly health: ComponentHealth
  /** Since when that was said. */
  readonly since?: string | null
  readonly status: string
  /** Its checks, and the items of the catalog that it stands for. */
  readonly parts: readonly NodePart[]
  readonly own: OwnCounts
  /** Expressions that decide instead, over `summary` and `self`. */
  readonly healthExpr?: string
  readonly statusExpr?: string
}
