export { CARD_SIZES, toCardWidth } from './cardSize.ts'
export {
  type Cause,
  type Component,
  type ComponentProperty,
  ComponentSchema,
  type TopologyAnswer,
  TopologyAnswerSchema,
} from './component.ts'
export { COMPONENT_HEALTHS, type ComponentHealth, toComponentHealth } from './componentHealth.ts'
export { createTopologyGraph, type Judge, type RolledUp, type TopologyGraph } from './createTopologyGraph.ts'
export { cutRows, type DrawnPage } from './cutRows.ts'
export { cutTopology, toList, type TopologyQuery } from './cutTopology.ts'
export { type ComponentRow, type Estate, toShownSummary } from './drawComponent.ts'
export type { TopologyEdges } from './edges.ts'
export { inOrder, toPropertyLinks, toPropertyLook, type PropertyLook } from './propertyText.ts'
export {
  type ComponentSort,
  isComponentSort,
  sortComponents,
  type SortOrder,
  STANDARD_SORTS,
  worstFirst,
} from './sortComponents.ts'
export { toCards, toMore, toPageRest, toShownComponents } from './pageRows.ts'
export {
  PageAnswerSchema,
  SHOWN_CARDS,
  SHOWN_LEVELS,
  type ShownComponent,
  ShownComponentSchema,
} from './shownComponents.ts'
export { type SeverityCounts, toShownStatus } from './summary.ts'
export type { NodePart, TopologyNode } from './topologyNode.ts'
export {
  MAX_TRIED_COMPONENTS,
  type TriedComponent,
  TryTopologyRequestSchema,
  type TryTopologyResponse,
  TryTopologyResponseSchema,
} from './tryTopology.ts'
export {
  type Burst,
  type HealthTransition,
  RecordedBurstsSchema,
  toBursts,
  toSpanText,
  toTransitions,
} from './transitions.ts'
