export { GATEWAY_ROUTES, type GatewayRoute } from './gatewayRoutes.ts'
export { ACCESS_MATRIX, can } from './matrix.ts'
export {
  type Action,
  ACTIONS,
  AGENT_ROLE_NAME,
  highestRole,
  mayModerate,
  type Resource,
  RESOURCES,
  type Role,
  ROLES,
  toRoles,
} from './roles.ts'
export { ANONYMOUS_ROLE, AUTHENTICATOR_ROLE, databaseRole, TABLE_ACCESS, type TableRule } from './tables.ts'
export {
  findRoute,
  mayRunChecks,
  mayUseRoute,
  ROUTE_ACCESS,
  type RouteAccess,
  type RouteMatch,
  type RouteMethod,
  type RouteRule,
} from './routes.ts'
