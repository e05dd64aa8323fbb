export { type BecauseDeps, toBecause } from './because.ts'
export { CARD_SIZES, type CardSize, toCardWidth } from './cardSize.ts'
export {
  type Component,
  type ComponentProperty,
  ComponentSchema,
  type TopologyAnswer,
  TopologyAnswerSchema,
} from './component.ts'
export { COMPONENT_HEALTHS, type ComponentHealth, toComponentHealth, worstHealth } from './componentHealth.ts'
export { createTopologyGraph, type Judge, type RolledUp, type TopologyGraph } from './createTopologyGraph.ts'
export { type ComponentRow, cutTopology, type Estate, type TopologyQuery } from './cutTopology.ts'
export { type PropertyLook, toPropertyLook } from './propertyText.ts'
export {
  type ComponentSort,
  isComponentSort,
  sortComponents,
  type SortOrder,
  STANDARD_SORTS,
  worstFirst,
} from './sortComponents.ts'
export {
  SHOWN_LEVELS,
  type ShownComponent,
  ShownComponentSchema,
  toCards,
  toShownComponents,
} from './shownComponents.ts'
export type { ComponentSummary, OwnCounts, SeverityCounts } from './summary.ts'
export type { TopologyNode } from './topologyNode.ts'
