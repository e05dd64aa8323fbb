import type { Feed } from './contract.ts'

/** A feed of some rows of another one, which reads everything each time: whatever is not meant any more is gone by itself. */
export const narrowFeed = <Row>(feed: Feed<Row>, isMeant: (row: Row) => boolean): Feed<Row> => ({
  ...feed,
  listen: (listener) =>
    feed.listen({ ...listener, onRead: (read) => listener.onRead({ ...read, rows: read.rows.filter(isMeant) }) }),
})
