export { type ApiError, ApiErrorSchema } from './apiError.ts'
export type { Topic, TopicRow } from './topic.ts'
export { agentsTopic, checksTopic, type TopicName, TOPICS } from './topics/index.ts'
