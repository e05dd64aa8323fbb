// What can be found by its name: kinds of resources, and the question that finds them.
export { formatRequirements, meetsRequirement, parseRequirements, type Requirement } from './parseRequirements.ts'
export { SEARCH_KIND_NAMES, SEARCH_KINDS, type SearchKind } from './searchKinds.ts'
export {
  type FoundResource,
  ofAgent,
  ofAnyAgent,
  type ResourceSearchAnswer,
  ResourceSearchAnswerSchema,
  ResourceSearchSchema,
  type ResourceSelector,
  ResourceSelectorSchema,
} from './searchResources.ts'
