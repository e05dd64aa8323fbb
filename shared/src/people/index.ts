export {
  type AccessToken,
  AccessTokenSchema,
  MadeAccessTokenSchema,
  type NewAccessToken,
  NewAccessTokenSchema,
} from './accessToken.ts'
export { EmailSchema } from './email.ts'
export { type OutboxMail, OutboxSchema } from './outbox.ts'
export { fullNameOf, type Person, PersonSchema, PersonSessionSchema, toPeople } from './person.ts'
