export { ACCESS_MATRIX, can } from './matrix.ts'
export { type Action, ACTIONS, highestRole, type Resource, RESOURCES, type Role, ROLES, toRoles } from './roles.ts'
