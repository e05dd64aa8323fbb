import type { Topic, TopicRow } from './topic.ts'

/** Identity of one topic instance as text: the name and its parameters in alphabetical order. */
export function topicAddress(name: string, params: Readonly<Record<string, string>>): string {
  const query = Object.keys(params)
    .toSorted()
    .map((param) => `${encodeURIComponent(param)}=${encodeURIComponent(params[param] ?? '')}`)
    .join('&')
  return query ? `${name}?${query}` : name
}

/** Key under which the browser caches the rows of a topic. */
export function topicKey<Params extends Record<string, string>, Row extends TopicRow>(
  topic: Topic<Params, Row>,
  params: Params,
): readonly ['live', string] {
  return ['live', topicAddress(topic.name, params)]
}
