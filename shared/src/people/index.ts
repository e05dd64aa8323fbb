export { EmailSchema } from './email.ts'
export { OutboxSchema } from './outbox.ts'
