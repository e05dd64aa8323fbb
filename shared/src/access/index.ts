export {
  type BackendFacts,
  BackendFactsSchema,
  CAPABILITIES,
  CAPABILITY_NAMES,
  type CapabilityName,
  EXTENSIONS,
} from './capabilities.ts'
export { FOREIGN_KEYS } from './foreignKeys.ts'
export {
  CONSOLE_ROUTES,
  DEMO_ROUTES,
  GATEWAY_ROUTES,
  HOSTED_ROUTES,
  STANDALONE_ROUTES,
  TOPOLOGY_HISTORY_ROUTES,
  TOPOLOGY_NEWS_ROUTES,
  WALL_ROUTES,
} from './gatewayRoutes.ts'
export { OPERATION_ROUTES } from './operationRoutes.ts'
export { can, rolesThatMay } from './matrix.ts'
export { toPolicy } from './toPolicy.ts'
export { isPermitted, OBJECTS, type Permission, type PolicyObject } from './permissions.ts'
export {
  type Action,
  ACTIONS,
  AGENT_ROLE_NAME,
  highestRole,
  limitRoles,
  mayModerate,
  type Resource,
  RESOURCES,
  type Role,
  ROLES,
  toRoles,
} from './roles.ts'
export { ANONYMOUS_ROLE, AUTHENTICATOR_ROLE, databaseRole, SERVICE_ROLE, TABLE_ACCESS, tableAccess } from './tables.ts'
export { embedDepth, findSelectRefusal } from './selectRefusal.ts'
export { SELECT_LIMITS } from './parseSelect.ts'
export { missingRowFilter } from './rowFilter.ts'
export { mayUseRoute, type RouteAccess, type RouteRule } from './routeRule.ts'
export {
  ACCOUNT_ROUTES,
  AGENT_ROUTES,
  CATALOG_ROUTES,
  CHECK_ROUTES,
  EVENT_ROUTES,
  CONNECTION_ROUTES,
  findRoute,
  FLOW_ROUTES,
  type FlowKind,
  IDENTITY_ROUTES,
  KUBECONFIG_ROUTES,
  LOG_ROUTES,
  SCRAPER_ROUTES,
  MAIL_ROUTES,
  mayRunChecks,
  NOTIFICATION_ROUTES,
  PEOPLE_ROUTES,
  PLAYBOOK_ROUTES,
  ROUTE_ACCESS,
  SCHEMA_ROUTES,
  SERVER_ROUTES,
  RESOURCE_ROUTES,
  SETTINGS_ROUTES,
  SNAPSHOT_ROUTES,
  TOKEN_ROUTES,
  TOPOLOGY_ROUTES,
  TOPOLOGY_SYNC_ROUTES,
} from './routes.ts'
