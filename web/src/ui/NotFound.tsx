import { EmptyState } from './EmptyState.tsx'

interface NotFoundProps {
  /** What the URL refers to, in lower case: `check`. */
  noun: string
  /** Default: the words of the specifications. */
  title?: string
}

/** Shown when the URL refers to something that does not exist. */
export const NotFound = ({ noun, title = 'Details not found' }: NotFoundProps) => (
  <EmptyState title={title}>{`There’s no ${noun} at this address. It may have been deleted permanently.`}</EmptyState>
)
